import { readFile, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import * as z from 'zod'
import { callNames } from '../../control/admin/call-table.js'
import { type CallName, type CallResult, calls } from '../../control/admin/calls.js'
import { readScenario } from '../../control/scenarios/scenario-file.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { partsOf, toolOf } from './call-tools.js'
import { type ComposedTool, composedTool, ToolFailure } from './composed-tool.js'
import {
  deliveryOf,
  entriesSince,
  isFailure,
  lineOf,
  newestEntry,
  presentDelivery,
  presentFinding,
} from './exchanges.js'
import { entryOf, explain, presentFailure } from './explain.js'
import { redeliver, resend } from './repeat.js'

const strict = z.strictObject
const app = z.string().optional().describe('Manifest id or client id')
const organization = z.string().optional().describe('Slug')
const anObject = z.record(z.string(), z.unknown())

/** Returns the path of a file below the working folder. @throws ToolFailure for another one. */
async function pathInFolder(file: string): Promise<string> {
  const folder = await realpath(process.cwd())
  const path = await realpath(resolve(file)).catch(() => {
    throw new ToolFailure(`file ${JSON.stringify(file)} does not exist in ${folder}`)
  })
  if (path.startsWith(folder + sep)) return path
  throw new ToolFailure(`file ${JSON.stringify(file)} is outside the working folder ${folder}`)
}

/** Returns each step of a run, with the responses of requests and visits: of control calls the journal says enough. */
const presentRun = ({ passed, steps }: CallResult<'runScenario'>) => ({
  passed,
  steps: steps.map(({ step, name, ok, error, result }) => ({
    ...{ step, ...(name !== null && { name }), ok, ...(error && { error }) },
    ...(['request', 'visit'].includes(step) && { response: result }),
  })),
})

/** The parts of the world that the tool `world` reads. */
const parts = [
  'organizations',
  'people',
  'apps',
  'installations',
  'tokens',
  'deliveries',
  'faults',
  'findings',
] as const

/** Every composed tool, in the order in which agents see them. agents: "Coding agents" */
export const composedTools: Record<string, ComposedTool> = {
  status: composedTool({
    description:
      'Shows the state of the emulator: address, clock, counts, faults that are set, findings, open deliveries and the newest failures. Start here.',
    effect: 'reads',
    input: strict({}),
    async run(_, { call }) {
      const [{ base_url, counts }, clock, faults, findings, deliveries, entries] = await Promise.all([
        call('world'),
        call('clock'),
        call('listFaults'),
        call('listFindings'),
        call('listDeliveries'),
        call('listRequests'),
      ])
      return {
        base_url,
        clock: { now: clock.now, frozen: clock.frozen },
        counts,
        faults: faults.map(({ id, match, effect, times }) => ({ id, match, effect, times })),
        findings: findings.map(({ rule, level, count }) => `${level} ${rule}, ${count} times`),
        open_deliveries: deliveries.filter(({ state }) => state !== 'acknowledged').map(presentDelivery),
        failures: entries.filter(isFailure).slice(-5).map(lineOf),
        next: 'last_failure explains the newest failure; audit finds mistakes that no request has shown yet',
      }
    },
  }),

  last_failure: composedTool({
    description:
      "Explains the newest failed exchange of the app in one answer: reason, injected fault, findings, delivery, the answer, the documentation's section and what a sound app does.",
    effect: 'reads',
    input: strict({
      app,
      organization,
      surface: z.enum(['api', 'oauth', 'web', 'webhook']).optional(),
      back: z.int().min(0).default(0).describe('Failures to skip, from the newest'),
    }),
    async run({ back, ...query }, { call }) {
      const failures = (await call('listRequests', { query })).filter(isFailure)
      const entry = failures.at(-1 - back)
      if (!entry) {
        return {
          failure: null,
          note: `The journal has ${failures.length === 0 ? 'no failure' : `only ${failures.length} failures`} here. Mistakes that nothing has shown yet are found by the tool audit; try provokes one.`,
        }
      }
      const earlier = failures.slice(0, failures.length - 1 - back)
      return { ...(await presentFailure(call, entry)), earlier_failures: earlier.slice(-5).map(lineOf) }
    },
  }),

  explain: composedTool({
    description:
      'Explains a journal entry (its number), a delivery (its id), a finding (its rule), a check of the audit (its id) or an error code: what is wrong, why it matters, a wrong and a right example, how to prove the fix.',
    effect: 'reads',
    input: strict({
      what: z.union([z.string().min(1), z.int()]).describe('12, "webhook.raw-body", "early_refresh", "invalid_grant"'),
    }),
    run: ({ what }, { call }) => explain(String(what).trim(), call),
  }),

  try: composedTool({
    description:
      'Brings about a state or a fault, visits the app, and returns everything that happened: response, requests, deliveries, new findings. The fault is removed afterwards. Steps are those of scenarios: {"install":{"app":"notes","organization":"acme"}}, {"expire":{"app":"notes"}}, {"uninstall":{…}}, {"advance":{"by":"1h"}}, {"revoke":{…}}.',
    effect: 'changes',
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
    async run({ steps = [], fault, visit }, { call }) {
      const since = await newestEntry(call)
      const before = new Map((await call('listFindings')).map(({ rule, app, count }) => [`${rule} ${app}`, count]))
      const set = fault && (await call('addFault', { body: fault as never }))
      try {
        const all = [...steps, ...(visit ? [{ visit }] : []), { settle: {} }]
        const result = await call('runScenario', { body: { from: 'current', steps: all } as never })
        const [happened, findings, faults] = await Promise.all([
          entriesSince(call, since),
          call('listFindings'),
          set ? call('listFaults') : [],
        ])
        const left = faults.find(({ id }) => id === set?.id)
        const deliveries = await Promise.all(happened.map((entry) => deliveryOf(call, entry)))
        return {
          ...presentRun(result),
          ...(set && { fault_fired: left === undefined || left.hits > 0 }),
          happened: happened.map(lineOf),
          deliveries: [
            ...new Map(deliveries.flatMap((each) => (each ? [[each.id, presentDelivery(each)]] : []))).values(),
          ],
          new_findings: findings
            .filter(({ rule, app, count }) => count > (before.get(`${rule} ${app}`) ?? 0))
            .map(presentFinding),
        }
      } finally {
        if (set) await call('deleteFault', { params: { id: set.id } }).catch(() => {})
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
    async run({ entry: id, delivery }, { call }) {
      if ((id === undefined) === (delivery === undefined)) throw new ToolFailure('Give entry or delivery, and not both')
      if (delivery !== undefined) return redeliver(call, delivery)
      const entry = await entryOf(call, id as number)
      const sent = await deliveryOf(call, entry)
      if (sent) return redeliver(call, sent.id)
      return resend(call, entry)
    },
  }),

  scenario: composedTool({
    description:
      'Runs a scenario, a list of steps with expectations (docs/scenarios.md), from a file of the project or as given, and returns each step and the first mismatch. The world is restored unless it says "from": "current".',
    effect: 'changes',
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
      const result = await call('runScenario', { body: (read?.file.document ?? scenario) as never })
      return { ...presentRun(result), happened: (await entriesSince(call, since)).map(lineOf) }
    },
  }),

  audit: composedTool({
    description:
      'Audits the running app: sends it forged webhooks, attacks its sign-in, expires its tokens, and returns what failed, with the fix and the page of each check. Restores the world. Run a chapter ("webhook.*", "api.*", "signin.*", "leaks*") or one check at a time.',
    effect: 'changes',
    input: strict({
      only: z.array(z.string()).optional().describe('Ids of checks, or globs; all when left out'),
      file: z.string().optional().describe("Audit file in the working folder; the project's when left out"),
      timeout: z.string().default('55s').describe('Ends the run; the rest is inconclusive'),
    }),
    async run({ only, file, timeout }, { url, adminToken, auditFile, signal }) {
      const { audit } = await import('../audit/audit.js')
      const { AuditFailure } = await import('../audit/context/failures.js')
      try {
        const given = file === undefined ? await auditFile() : await pathInFolder(file)
        const report = await audit({
          url,
          adminToken,
          file: given,
          ...(only && { only }),
          timeout: timeout as `${number}s`,
          signal,
        })
        const idsOf = (outcome: string) =>
          report.checks.filter((check) => check.outcome === outcome).map(({ id }) => id)
        const isShown = (outcome: string) => !['pass', 'skip', 'accepted'].includes(outcome)
        return {
          passed: report.passed,
          summary: report.summary,
          failed: report.checks
            .filter(({ outcome }) => isShown(outcome))
            .map(({ id, severity, outcome, message, follows_from, seen, expected, remedy, docs, entries }) => ({
              ...{ id, severity, outcome, message, ...(follows_from && { follows_from }), seen, expected, remedy },
              ...{ docs, entries: entries.slice(-5) },
            })),
          passes: idsOf('pass'),
          skipped: idsOf('skip'),
          accepted: idsOf('accepted'),
          next: 'explain shows the wrong and the right code of a check',
        }
      } catch (error) {
        if (error instanceof AuditFailure) throw new ToolFailure(error.message)
        throw error
      }
    },
  }),

  world: composedTool({
    description:
      'Reads a part of the world: organizations with their members, people, apps, installations, tokens (by their last four characters), deliveries, faults or findings.',
    effect: 'reads',
    input: strict({ part: z.enum(parts), app, organization }),
    async run({ part, app, organization }, { call }) {
      const query = { app, organization }
      switch (part) {
        case 'organizations':
          return {
            data: organization
              ? [await call('getOrganization', { params: { slug: organization } })]
              : await call('listOrganizations'),
          }
        case 'people':
          return { data: await call('listUsers') }
        case 'apps':
          return { data: app ? [await call('getApp', { params: { app } })] : await call('listApps') }
        case 'installations':
          return { data: await call('listInstallations', { query }) }
        case 'tokens':
          return { data: await call('listTokens', { query }) }
        case 'deliveries':
          return { data: (await call('listDeliveries', { query: { organization } })).map(presentDelivery) }
        case 'faults':
          return { data: await call('listFaults') }
        case 'findings':
          return { data: (await call('listFindings', { query })).map(presentFinding) }
      }
    },
  }),

  reset: composedTool({
    description: 'Resets the world to its start: data, clock, faults, findings and journal.',
    effect: 'removes',
    input: strict({}),
    run: async (_, { call }) => ({ reset: true, counts: (await call('reset')).counts }),
  }),

  call: composedTool({
    description:
      'Makes any call of the control API by its name (putMember, mintTokens, rotateKeys, setInbox, …). Without a name it lists the calls; with describe it returns the schema of the arguments.',
    effect: 'removes',
    input: strict({
      name: z.string().optional(),
      arguments: anObject.optional().describe('Path parameters and fields of query or body'),
      describe: z.boolean().optional(),
    }),
    async run({ name, arguments: given = {}, describe }, { call }) {
      if (name === undefined) return { calls: callNames.map((each) => `${each}: ${calls[each].summary}`) }
      if (!(callNames as string[]).includes(name)) {
        throw new ToolFailure(`${JSON.stringify(name)} is not a call of the control API${didYouMean(name, callNames)}`)
      }
      const known = name as CallName
      if (describe) {
        const { description, inputSchema } = toolOf(known)
        return { name, description, arguments: inputSchema }
      }
      const read = partsOf(known, given)
      if ('issues' in read) throw new ToolFailure(`${name} was not called`, read.issues)
      const result = await call(known, read.parts)
      return Array.isArray(result) ? { data: result } : (result as object)
    },
  }),
}
