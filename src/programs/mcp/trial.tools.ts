import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { CallResult } from '../../control/admin/calls.js'
import { findingKey } from '../../control/findings/merge-findings.js'
import { readScenario } from '../../control/scenarios/scenario-file.js'
import { anObject, app, composedTool, pathInFolder, strict, ToolFailure } from './composed-tool.js'
import {
  deliveriesOf,
  entriesSince,
  newestEntry,
  presentDelivery,
  presentFinding,
  summaryOfEntry,
} from './exchanges.js'
import { entryOf } from './explain.js'
import { redeliver, resend } from './repeat.js'

/** Returns each step of a run, with the responses of requests and visits: of control calls the journal says enough. */
const presentRun = ({ passed, steps }: CallResult<'runScenario'>) => ({
  passed,
  steps: steps.map(({ step, name, ok, error, result }) => ({
    ...{ step, ...(name !== null && { name }), ok, ...(error && { error }) },
    ...(['request', 'visit'].includes(step) && { response: result }),
  })),
})

export const trialTools = {
  try: composedTool({
    description:
      'Brings about a state or a fault, visits the app, and returns everything that happened: response, requests, deliveries, new findings. The fault is removed afterwards. Steps are those of scenarios: {"install":{"app":"notes","organization":"acme"}}, {"expire":{"app":"notes"}}, {"uninstall":{…}}, {"advance":{"by":"1h"}}, {"revoke":{…}}.',
    effect: 'removes',
    input: strict({
      steps: z.array(anObject).optional().describe('Scenario steps before the visit (docs/scenarios.md)'),
      fault: anObject
        .optional()
        .describe('A fault (docs/faults.md): {"match":{"surface":"api"},"effect":"rate_limited","times":1}'),
      visit: strict({
        url: z.string().describe('URL; with app, a path of it. Only loopback, private and trusted hosts'),
        app,
        method: z.string().optional(),
        headers: z.record(z.string(), z.string()).optional(),
        body: z.unknown().optional(),
      }).optional(),
    }),
    async run({ steps = [], fault, visit }, { call, undo }) {
      const since = await newestEntry(call)
      const before = new Map((await call('listFindings')).map((each) => [findingKey(each), each.count]))
      const set = fault && (await call('addFault', { body: fault as never }))
      try {
        const all = [...steps, ...(visit ? [{ visit }] : []), { settle: {} }]
        const result = await call('runScenario', { body: { from: 'current', redact: true, steps: all } as never })
        const [happened, findings, faults] = await Promise.all([
          entriesSince(call, since),
          call('listFindings'),
          set ? call('listFaults') : [],
        ])
        const left = faults.find(({ id }) => id === set?.id)
        return {
          ...presentRun(result),
          // A step may have removed the fault.
          ...(set && { fault_fired: left ? left.hits > 0 : happened.some((entry) => entry.fault === set.id) }),
          happened: happened.map(summaryOfEntry),
          deliveries: (await deliveriesOf(call, happened)).map(presentDelivery),
          new_findings: findings.filter((each) => each.count > (before.get(findingKey(each)) ?? 0)).map(presentFinding),
        }
      } finally {
        if (set) await undo('deleteFault', { params: { id: set.id } }).catch(() => {})
      }
    },
  }),

  repeat: composedTool({
    description:
      'Sends an earlier exchange again and shows what is different now: a webhook (delivery id, or the number of its entry), or a request to /v0 (number of its entry), with a fresh token of the same installation.',
    effect: 'changes',
    input: strict({
      entry: z.int().optional().describe('Number of the journal entry'),
      delivery: z.string().optional().describe('Id of the delivery'),
    }),
    async run({ entry: id, delivery }, { call, undo }) {
      if ((id === undefined) === (delivery === undefined)) throw new ToolFailure('Give entry or delivery, and not both')
      if (delivery !== undefined) return redeliver(call, delivery)
      const entry = await entryOf(call, id as number)
      const [sent] = await deliveriesOf(call, [entry])
      if (sent) return redeliver(call, sent.id)
      return resend({ call, undo }, entry)
    },
  }),

  scenario: composedTool({
    description:
      'Runs a scenario, a list of steps with expectations (docs/scenarios.md), from a file of the project or as given, and returns each step and the first mismatch. The world is restored unless it says "from": "current".',
    effect: 'removes',
    input: strict({
      file: z.string().optional().describe('Path of a file in the working folder'),
      scenario: anObject.optional().describe('The scenario itself: {"steps":[…]}'),
    }),
    async run({ file, scenario }, { call }) {
      if ((file === undefined) === (scenario === undefined))
        throw new ToolFailure('Give file or scenario, and not both')
      const read = file === undefined ? undefined : readScenario(await readFile(await pathInFolder(file), 'utf8'))
      if (read && !read.file) throw new ToolFailure(`${file} is not a scenario`, read.issues)
      const since = await newestEntry(call)
      const document = { ...((read?.file.document ?? scenario) as object), redact: true }
      const result = await call('runScenario', { body: document as never })
      return { ...presentRun(result), happened: (await entriesSince(call, since)).map(summaryOfEntry) }
    },
  }),
}
