import type { CallName } from '../admin/calls.js'
import { controlStepBodies, type StepKind } from '../admin/scenario-schemas.js'
import type { CallParts, ControlCaller } from '../client/caller.js'
import { StepFailure } from './step-failure.js'

export type ControlStep = keyof typeof controlStepBodies

export const isControlStep = (kind: StepKind): kind is ControlStep => Object.hasOwn(controlStepBodies, kind)

// biome-ignore lint/suspicious/noExplicitAny: the schema of the step has checked it
type Body = any

interface Parts {
  params?: Record<string, string>
  query?: object
  body?: object
}

interface Entry {
  call: CallName
  /** What the call is given; the step's body as its own when left out. */
  parts?(body: Body, call: ControlCaller): Parts | Promise<Parts>
  /** The reverse, for a recording: the step's body; that of the call when left out. */
  step?(params: Record<string, string>, body: Body): object
}

/** Which control call each step makes. control-api: "Scenarios" */
export const controlSteps: Record<ControlStep, Entry> = {
  install: { call: 'install' },
  upgrade: {
    call: 'upgrade',
    parts: async ({ version, ...which }, call) => ({
      params: { id: await installationOf(which, call) },
      body: { version },
    }),
    step: ({ id }, body) => ({ installation: id, ...body }),
  },
  uninstall: {
    call: 'uninstall',
    parts: async (which, call) => ({ params: { id: await installationOf(which, call) } }),
    step: ({ id }) => ({ installation: id }),
  },
  push: { call: 'pushManifest', parts: (body) => ({ params: { app: body.id }, body }) },
  organization: { call: 'createOrganization' },
  user: { call: 'createUser' },
  member: {
    call: 'putMember',
    parts: ({ organization, user, role }) => ({ params: { slug: organization, user }, body: { role } }),
    step: ({ slug, user }, { role }) => ({ organization: slug, user, role }),
  },
  fixtures: { call: 'addFixtures' },
  advance: { call: 'advanceClock' },
  freeze: { call: 'freezeClock' },
  resume: { call: 'resumeClock', parts: () => ({}) },
  expire: { call: 'expireTokens' },
  revoke: { call: 'revokeTokens' },
  mint: { call: 'mintTokens' },
  sign_in: { call: 'signIn' },
  ambient: { call: 'setAmbientUser' },
  silent_auth: { call: 'setSilentAuth' },
  rotate_keys: { call: 'rotateKeys' },
  fault: { call: 'addFault' },
  clear_faults: { call: 'clearFaults', parts: () => ({}) },
  event: {
    call: 'sendEvent',
    parts: async ({ type, data, ...which }, call) => ({
      body: { type, data, installation: await installationOf(which, call) },
    }),
  },
  redeliver: {
    call: 'redeliver',
    parts: ({ delivery }) => ({ params: { id: delivery } }),
    step: ({ id }) => ({ delivery: id }),
  },
  inbox: {
    call: 'setInbox',
    parts: ({ name, ...body }) => ({ params: { name }, body }),
    step: ({ name }, body) => ({ name, ...body }),
  },
  settle: { call: 'deliveriesSettled', parts: (query) => ({ query }) },
  reset: { call: 'reset', parts: () => ({}) },
  snapshot: { call: 'snapshot' },
  restore: {
    call: 'restoreSnapshot',
    parts: ({ name }) => ({ params: { name } }),
    step: ({ name }) => ({ name }),
  },
}

/** Makes the call of a step. @returns its answer. @throws AdminError, StepFailure */
export async function makeCall(
  kind: ControlStep,
  body: unknown,
  call: ControlCaller,
  signal: AbortSignal,
): Promise<unknown> {
  const { call: name, parts = (own: object) => ({ body: own }) } = controlSteps[kind]
  const made = await parts(body as Body, call)
  const answer: unknown = await call(name, made as CallParts<CallName>, signal)
  if (kind === 'settle') mustBeSettled(answer as { settled: boolean; waiting?: string[] })
  return answer
}

function mustBeSettled({ settled, waiting = [] }: { settled: boolean; waiting?: string[] }): void {
  if (!settled) throw new StepFailure(`deliveries are still in flight or overdue: ${waiting.join(', ')}`)
}

/** The installation that is meant: by its id, or the one that is there now. */
async function installationOf(
  { installation, app, organization }: { installation?: string; app: string; organization: string },
  call: ControlCaller,
): Promise<string> {
  if (installation !== undefined) return installation
  const all = await call('listInstallations', { query: { app, organization } })
  const found = all.find(({ state }) => state === 'installed' || state === 'uninstalling')
  if (!found) throw new StepFailure(`${app} is not installed in ${organization}`)
  return found.id
}
