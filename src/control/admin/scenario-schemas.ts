import * as z from 'zod'
import { surfaceNames } from '../../emulator/world/exchange.js'
import { headersSchema } from '../../foundation/schema/header-names.js'
import { freeForm, realDuration } from '../../foundation/schema/schema-words.js'
import { roles } from '../../platform/organizations/roles.js'
import { deliveryStates } from '../../platform/webhooks/delivery-record.js'
import { ruleNames } from '../findings/rules.js'
import { appCalls } from './apps.calls.js'
import { name } from './call.js'
import { clockCalls } from './clock.calls.js'
import { faultCalls } from './faults.calls.js'
import { installationCalls } from './installations.calls.js'
import { organizationCalls } from './organizations.calls.js'
import { signInCalls } from './sign-in.calls.js'
import { tokenCalls } from './tokens.calls.js'
import { userCalls } from './users.calls.js'
import { webhookCalls } from './webhooks.calls.js'
import { worldCalls } from './world.calls.js'

const strict = z.strictObject
const nothing = strict({})
/** Any JSON value. */
export const anything = z.unknown()

/** A step about an installation names it, or the app and the organization where it is installed. */
const ofInstallation = <S extends z.ZodRawShape>(shape: S) =>
  strict({
    installation: name.optional().describe('Its id'),
    app: name.optional().describe('Instead of installation, with organization: manifest id or client id'),
    organization: name.optional(),
    ...shape,
  }).refine((given) => {
    const { installation, app, organization } = given as { installation?: string; app?: string; organization?: string }
    return [app, organization].every((name) => (name === undefined) === (installation !== undefined))
  }, 'must name installation, or app and organization')

const method = z.string().regex(/^[A-Za-z]+$/, 'must be an HTTP method')
const headers = headersSchema.optional()
const body = anything
  .optional()
  .describe('Text is sent unchanged; anything else as JSON, or as a form when the content type is that of forms')

const amount = z.int().min(0)
const COUNT = 'must be a number, or an object of min and max with min not above max'
const count = z.union(
  [
    amount,
    strict({ min: amount.optional(), max: amount.optional() }).refine(
      ({ min, max }) => (min ?? max) !== undefined && (min ?? 0) <= (max ?? Number.POSITIVE_INFINITY),
      COUNT,
    ),
  ],
  COUNT,
)
const within = realDuration
  .optional()
  .describe(
    'Maximum real time to wait: for the minimum; with a maximum or an exact number, until everything has settled',
  )

/** The body of each kind of step. Those from `request` on make no control call of their own. control-api: "Scenarios" */
export const stepBodies = {
  install: installationCalls.install.body,
  upgrade: ofInstallation(installationCalls.upgrade.body.shape),
  uninstall: ofInstallation({}),
  push: appCalls.pushManifest.body,
  organization: organizationCalls.createOrganization.body,
  user: userCalls.createUser.body,
  member: strict({ organization: name, user: name.describe('An id or an email'), role: z.enum(roles) }),
  fixtures: worldCalls.addFixtures.body,
  advance: clockCalls.advanceClock.body,
  freeze: clockCalls.freezeClock.body,
  resume: clockCalls.resumeClock.body,
  expire: tokenCalls.expireTokens.body,
  revoke: tokenCalls.revokeTokens.body,
  mint: tokenCalls.mintTokens.body,
  sign_in: signInCalls.signIn.body,
  ambient: signInCalls.setAmbientUser.body,
  silent_auth: signInCalls.setSilentAuth.body,
  rotate_keys: signInCalls.rotateKeys.body,
  fault: faultCalls.addFault.body,
  clear_faults: nothing,
  event: ofInstallation({ type: z.string().min(1), data: freeForm }),
  redeliver: strict({ delivery: name.describe('Its id') }),
  inbox: strict({ name, ...webhookCalls.setInbox.body.shape }),
  settle: strict({
    timeout: realDuration.optional().describe('5 s when left out'),
    background: realDuration
      .optional()
      .describe('Real time that passes first, for apps that acknowledge and work later'),
  }),
  reset: nothing,
  snapshot: worldCalls.snapshot.body,
  restore: strict({ name }),
  request: strict({
    method: method.optional().describe('GET, or POST with a body, when left out'),
    path: z.string().regex(/^\//, 'must begin with /').describe('Path at the emulator, with its query'),
    headers,
    body,
    as: name.optional().describe('The slug of the organization whose API key is sent'),
  }),
  visit: strict({
    url: z.string().min(1).describe('An http or https URL; with app, a path'),
    app: name.optional().describe('App whose webhook address the path belongs to'),
    method: method.optional().describe('GET, or POST with a body, when left out'),
    headers,
    body,
    at_once: z.int().min(1).max(100).optional().describe('Requests sent side by side; `expect` is about each of them'),
    within: realDuration.optional().describe('Maximum real time in which it is repeated until `expect` holds'),
  }),
  mark: nothing,
  expect_delivery: strict({
    event: z.string().min(1).describe('The type of the event'),
    count: count.optional().describe('At least 1 when left out'),
    state: z.enum(deliveryStates).optional(),
    within,
  }),
  expect_requests: strict({
    surface: z.enum(surfaceNames).optional().describe('api, oauth and web when left out'),
    method: method.optional(),
    path: z.string().min(1).optional().describe('Path, with `*` for any text'),
    status: z.int().min(100).max(599).nullable().optional().describe('null: no response'),
    app: name.optional(),
    organization: name.optional(),
    count,
    within,
  }),
  expect_findings: z
    .array(z.enum(ruleNames))
    .describe('Rules that the app must have broken; no other finding of level error is allowed'),
} as const satisfies Record<string, z.ZodType>

export type StepKind = keyof typeof stepBodies
export const stepKinds = Object.keys(stepBodies) as [StepKind, ...StepKind[]]

export const stepFields = {
  name: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_-]*$/,
      'must begin with a letter and contain only letters, digits, hyphens and underscores',
    )
    .optional()
    .describe('Name by which later steps refer to it'),
  title: z.string().optional().describe('Description of the step'),
  expect: strict({
    status: z.int().nullable().optional().describe('null: no response'),
    body: anything.optional().describe('Part of the body or result; may contain matchers'),
    headers: z.record(z.string(), anything).optional(),
  }).optional(),
}

const step = z
  .union(stepKinds.map((kind) => strict({ ...stepFields, [kind]: stepBodies[kind] })))
  .meta({ id: 'ScenarioStep', description: 'One step, of exactly one kind; docs/scenarios.md lists them.' })

/** Fields beside the list of steps. */
export const scenarioFields = {
  $schema: z.string().optional(),
  title: z.string().optional(),
  from: z
    .enum(['start', 'current'])
    .optional()
    .describe(
      'start (the default): as after a reset, then restore the present world. current: continue from it and keep the changes',
    ),
  redact: z.boolean().optional().describe('Redact secrets in results'),
}

export const scenarioDocument = strict({ ...scenarioFields, steps: z.array(step).min(1) }).meta({
  id: 'Scenario',
  description: 'Steps to run in order, up to the first that fails',
})
