import type * as z from 'zod'
import { scalarsIn } from '../../foundation/store/collection.js'
import { manifestSchema } from '../../platform/apps/manifest-schema.js'
import type { Call } from '../admin/call.js'
import { type CallName, calls } from '../admin/calls.js'
import type { StepKind, stepBodies } from '../admin/scenario-schemas.js'
import type { CallParts, ControlCaller } from '../client/caller.js'
import { AdminError } from '../client/errors.js'
import { baselineNow, expectDelivery, expectFindings, expectRequests, type Progress } from './expectations.js'
import { type StepResponse, sendRequest, sendVisit, visitIssues } from './request-steps.js'
import type { ScenarioContext } from './scenario.js'
import { StepFailure } from './step-failure.js'

type KindOfName = 'app' | 'organization' | 'user' | 'snapshot'

/** The things of a world, each under every name that it has. */
export type Names = Record<KindOfName, string[]>

/** Fields of a body that name something, by their dotted path. */
type NamingFields = Record<string, KindOfName>

interface Common<B> {
  /** `namingFields` when left out. */
  names?: NamingFields
  /** Returns the names of what the step adds to the world. */
  makes?(body: B): Partial<Record<KindOfName, (string | undefined)[]>>
  /** Returns the schema of a body, where it depends on the setting `trust_hosts`. */
  schemaFor?(body: unknown, trustHosts: string[] | undefined): z.ZodType
  /** Returns issues that the schema does not find, and the field that has them. */
  issues?(body: unknown): { field: string; message: string }[]
}

/** A step that makes a control call, whose result is its own. */
export interface CallStep<B> extends Common<B> {
  call: CallName
  /** The parameters of the call's path, each with the field of the body that has it. */
  params?: Record<string, string>
  /** The call takes those fields in its body, too. */
  keepsParams?: true
  /** The body may name an app and an organization instead of the installation. */
  findsInstallation?: true
  /** @throws StepFailure when the result of a successful call is not the expected one. */
  verify?(result: never): void
}

/** A step that sends a request, or several at once; `expect` is compared with each response, and the first is the result. */
interface RequestStep<B> extends Common<B> {
  send(body: B, context: ScenarioContext): Promise<StepResponse[]>
}

/** A step that marks or checks what has happened. @throws StepFailure */
interface CheckStep<B> extends Common<B> {
  check(body: B, progress: Progress, context: ScenarioContext): Promise<unknown>
}

export type StepDefinition<B> = CallStep<B> | RequestStep<B> | CheckStep<B>

export const namingFields: NamingFields = { app: 'app', organization: 'organization', user: 'user', installer: 'user' }

/** Every kind of step: how it runs, how it is recorded, what it names. control-api: "Scenarios" */
export const steps: { [K in StepKind]: StepDefinition<z.output<(typeof stepBodies)[K]>> } = {
  install: { call: 'install' },
  upgrade: { call: 'upgrade', params: { id: 'installation' }, findsInstallation: true },
  uninstall: { call: 'uninstall', params: { id: 'installation' }, findsInstallation: true },
  push: {
    call: 'pushManifest',
    params: { app: 'id' },
    keepsParams: true,
    schemaFor: (body, trustHosts) => manifestSchema(trustHosts ?? hostsIn(body)),
    names: {},
  },
  organization: { call: 'createOrganization', makes: ({ slug }) => ({ organization: [slug] }), names: {} },
  user: { call: 'createUser', makes: ({ id, email }) => ({ user: [id, email] }), names: {} },
  member: { call: 'putMember', params: { slug: 'organization', user: 'user' } },
  fixtures: {
    call: 'addFixtures',
    makes: ({ organizations = [], users = [], apps = [] }) => ({
      organization: organizations.map(({ slug }) => slug),
      user: users.flatMap(({ id, email }) => [id, email]),
      app: apps.flatMap(({ client_id, manifest, versions = [] }) => [
        client_id,
        ...[manifest, ...versions].map((version) => (version as { id?: string } | undefined)?.id),
      ]),
    }),
    names: {},
  },
  advance: { call: 'advanceClock' },
  freeze: { call: 'freezeClock' },
  resume: { call: 'resumeClock' },
  expire: { call: 'expireTokens' },
  revoke: { call: 'revokeTokens' },
  mint: { call: 'mintTokens' },
  sign_in: { call: 'signIn' },
  ambient: { call: 'setAmbientUser' },
  silent_auth: { call: 'setSilentAuth' },
  rotate_keys: { call: 'rotateKeys' },
  fault: { call: 'addFault', names: { 'match.app': 'app', 'match.organization': 'organization' } },
  clear_faults: { call: 'clearFaults' },
  event: { call: 'sendEvent', findsInstallation: true },
  redeliver: { call: 'redeliver', params: { id: 'delivery' } },
  inbox: { call: 'setInbox', params: { name: 'name' } },
  settle: {
    call: 'deliveriesSettled',
    verify({ settled, waiting = [] }: { settled: boolean; waiting?: string[] }) {
      if (!settled) throw new StepFailure(`deliveries are still in flight or overdue: ${waiting.join(', ')}`)
    },
  },
  reset: { call: 'reset' },
  snapshot: { call: 'snapshot', makes: ({ name }) => ({ snapshot: [name] }), names: {} },
  restore: { call: 'restoreSnapshot', params: { name: 'name' }, names: { name: 'snapshot' } },
  request: { send: sendRequest, names: { as: 'organization' } },
  visit: { send: sendVisit, issues: visitIssues },
  mark: {
    async check(_, progress, context) {
      progress.baseline = await baselineNow(context)
      return {}
    },
  },
  expect_delivery: { check: expectDelivery },
  expect_requests: { check: expectRequests },
  expect_findings: { check: expectFindings },
}

export const definitionOf = (kind: StepKind): StepDefinition<never> => steps[kind]

const hostsIn = (value: unknown): string[] =>
  Array.from(scalarsIn(value), String).flatMap((text) => (URL.canParse(text) ? [new URL(text).hostname] : []))

/** Returns the parts of a step's call. @throws AdminError 404 when the app is not installed where the body says */
export async function partsOf(
  { call: name, params = {}, keepsParams, findsInstallation }: CallStep<never>,
  body: Record<string, unknown>,
  call: ControlCaller,
): Promise<CallParts<CallName>> {
  const fields = findsInstallation ? await withInstallation(body, call) : body
  const taken = Object.values(params)
  const rest = Object.fromEntries(Object.entries(fields).filter(([field]) => keepsParams || !taken.includes(field)))
  const { body: hasBody, query: hasQuery }: Call = calls[name]
  return {
    params: Object.fromEntries(Object.entries(params).map(([param, field]) => [param, String(fields[field])])),
    ...(hasBody && { body: rest }),
    ...(hasQuery && { query: rest }),
  } as CallParts<CallName>
}

/** Returns the body of a step that repeats a recorded call. */
export const stepBodyOf = ({ params = {} }: CallStep<never>, given: Record<string, string>, body: object) => ({
  ...Object.fromEntries(Object.entries(params).map(([param, field]) => [field, given[param]])),
  ...body,
})

async function withInstallation(body: Record<string, unknown>, call: ControlCaller): Promise<Record<string, unknown>> {
  const { app, organization, ...rest } = body as { app?: string; organization?: string }
  if (app === undefined || organization === undefined) return rest
  const all = await call('listInstallations', { query: { app, organization } })
  const found = all.find(({ state }) => state === 'installed' || state === 'uninstalling')
  if (!found) throw new AdminError(404, { detail: `${app} is not installed in ${organization}` })
  return { ...rest, installation: found.id }
}
