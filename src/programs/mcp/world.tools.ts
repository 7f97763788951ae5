import * as z from 'zod'
import { callNames } from '../../control/admin/call-table.js'
import { type CallName, calls } from '../../control/admin/calls.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { makeCall, toolOf } from './call-tools.js'
import { anObject, app, type BoundCaller, composedTool, organization, strict, ToolFailure } from './composed-tool.js'
import { presentDelivery, presentFinding } from './exchanges.js'

interface Filter {
  app?: string | undefined
  organization?: string | undefined
}

interface Part {
  takes: (keyof Filter)[]
  read: (filter: Filter, call: BoundCaller) => Promise<object>
}

const parts = {
  organizations: {
    takes: ['organization'],
    read: async ({ organization: slug }, call) =>
      slug ? [await call('getOrganization', { params: { slug } })] : call('listOrganizations'),
  },
  people: {
    takes: ['organization'],
    async read({ organization: slug }, call) {
      const people = await call('listUsers')
      if (slug === undefined) return people
      const { members } = await call('getOrganization', { params: { slug } })
      const ids = new Set(members.map(({ user }) => user))
      return people.filter(({ id }) => ids.has(id))
    },
  },
  apps: {
    takes: ['app'],
    read: async ({ app }, call) => (app ? [await call('getApp', { params: { app } })] : call('listApps')),
  },
  installations: { takes: ['app', 'organization'], read: (query, call) => call('listInstallations', { query }) },
  tokens: { takes: ['app', 'organization'], read: (query, call) => call('listTokens', { query }) },
  deliveries: {
    takes: ['organization'],
    read: async (query, call) => (await call('listDeliveries', { query })).map(presentDelivery),
  },
  faults: { takes: [], read: (_, call) => call('listFaults') },
  findings: {
    takes: ['app', 'organization'],
    read: async (query, call) => (await call('listFindings', { query })).map(presentFinding),
  },
} satisfies Record<string, Part>

/** Reads a part of the world. @throws ToolFailure for a filter that the part does not take. */
async function readPart(name: keyof typeof parts, filter: Filter, call: BoundCaller): Promise<object> {
  const { takes, read }: Part = parts[name]
  const [unknown] = Object.keys(filter).filter((key) => !(takes as string[]).includes(key))
  if (unknown) throw new ToolFailure(`${name} takes no ${unknown}; it takes ${takes.join(' and ') || 'no filter'}`)
  return read(filter, call)
}

export const worldTools = {
  world: composedTool({
    description:
      'Reads a part of the world: organizations with their members, people, apps, installations, tokens (by their last four characters), deliveries, faults or findings.',
    effect: 'reads',
    input: strict({ part: z.enum(Object.keys(parts) as (keyof typeof parts)[]), app, organization }),
    run: async ({ part, ...filter }, { call }) => ({ data: await readPart(part, filter, call) }),
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
      return makeCall(call, known, given)
    },
  }),
}
