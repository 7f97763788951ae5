import * as z from 'zod'
import { callNames } from '../../control/admin/call-table.js'
import { type CallName, calls } from '../../control/admin/calls.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { partsOf, toolOf } from './call-tools.js'
import { composedTool, ToolFailure } from './composed-tool.js'
import { presentDelivery, presentFinding } from './exchanges.js'
import { anObject, app, organization, strict } from './tool-inputs.js'

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

/** The world, and every control call. */
export const worldTools = {
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
