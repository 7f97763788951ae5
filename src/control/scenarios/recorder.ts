import { truncateBody } from '../../emulator/journal/journal.js'
import { createRedactor } from '../../emulator/journal/known-secrets.js'
import type { Exchange } from '../../emulator/world/exchange.js'
import type { Recording } from '../../emulator/world/scenario-parts.js'
import type { World } from '../../emulator/world/world.js'
import { bearerOf } from '../../foundation/http/bearer.js'
import { isObject } from '../../foundation/schema/is-object.js'
import { performance } from '../../foundation/time/real-timers.js'
import { type StepDraft, stepOf } from './recorded-steps.js'
import { bodyOf, RecordedValues } from './recorded-values.js'
import { literal } from './references.js'

type RecordedWorld = Pick<World, 'store' | 'settings' | 'clock'>

const MAX_EXCHANGES = 10_000
/** Approximate megabytes of their bodies and of the ids made meanwhile. */
const MEGABYTES = 50
const ID_SIZE = 100
/** Gap after which requests of an app are attributed to a new cause. */
const NEW_CAUSE_AFTER_MS = 1_000

/** An exchange and when it began, in real milliseconds: exchanges are recorded in the order in which they end. */
type RecordedExchange = Exchange & { began: number }

/** Records every exchange from now on. @returns a function that ends this and makes a scenario of them. */
export function record({ journal, random }: Pick<World, 'journal' | 'random'>): (world: RecordedWorld) => Recording {
  const recorded: RecordedExchange[] = []
  let more = 0
  let bytes = 0
  const made = new Set<string>()
  random.made = made
  const stop = journal.onExchange((exchange) => {
    if (!isOfInterest(exchange)) return
    if (recorded.length >= MAX_EXCHANGES || bytes + made.size * ID_SIZE >= MEGABYTES * 1e6) {
      more++
      random.made = undefined
      return
    }
    // Steps have whole bodies of requests, which the journal truncates in place, and none that was not read whole.
    const { headers, body, length } = exchange.request
    const request = length === undefined ? exchange.request : { headers, body: undefined }
    const response = truncateBody(exchange.response)
    bytes += Buffer.byteLength(body ?? '') + Buffer.byteLength(response.body ?? '')
    recorded.push({ ...exchange, request, response, began: performance.now() - exchange.duration })
  })
  return (world) => {
    stop()
    random.made = undefined
    recorded.sort((a, b) => a.began - b.began)
    const recording = recordingOf(recorded, world, made)
    if (more > 0) {
      const before = recording.scenario.steps.length
      const why = `a recording holds the first ${MAX_EXCHANGES} requests or ${MEGABYTES} MB`
      recording.left_out.push({ before, request: `${more} more requests`, why })
    }
    return recording
  }
}

/** Returns true for requests, webhooks and control calls that change something, unless a scenario or an audit made them. */
function isOfInterest({ surface, method, path, sender, run }: Exchange): boolean {
  if (sender === 'scenario' || run !== undefined) return false
  if (surface === 'admin') return method !== 'GET' && /^\/_admin\/(?!recording$|reports\/)/.test(path)
  return surface !== 'inbox'
}

function recordingOf(recorded: RecordedExchange[], world: RecordedWorld, made: ReadonlySet<string>): Recording {
  const values = new RecordedValues(createRedactor(world), made)
  const apps = new RecordedApps()
  const drafts: StepDraft[] = []
  const left_out: Recording['left_out'] = []
  const leaveOut = (request: string, why: string) => void left_out.push({ before: drafts.length, request, why })
  /** Requests of apps since the latest step, and the apps that had a webhook that may be their cause. */
  let done: RecordedExchange[] = []
  let notified = new Set<string | undefined>()
  /** Index of the first step after the latest expectations. */
  let begin = 0

  const expectDone = () => {
    const [first] = done
    if (!first) return
    const { app } = first.identity
    drafts.splice(begin, 0, { kind: 'mark', step: { mark: {} } })
    for (const remark of left_out) if (remark.before >= begin) remark.before++
    if (!notified.has(app)) leaveOut(`a visit to ${app}`, VISIT)
    drafts.push(...expectationsOf(done, values))
    begin = drafts.length
    done = []
    notified = new Set()
  }

  for (const exchange of recorded) {
    const { surface, method, path, identity, began } = exchange
    values.addSecrets(exchange)
    const isOfApp = apps.isOfApp(exchange)
    const latest = done.at(-1)
    if (latest && (!isOfApp || began - latest.began - latest.duration > NEW_CAUSE_AFTER_MS)) expectDone()
    if (surface === 'webhook') notified.add(identity.app)
    if (isOfApp) {
      values.addResult(exchange, undefined, [])
      done.push(exchange)
      continue
    }
    if (surface === 'webhook') continue
    if (surface === 'admin') apps.addCall(exchange)
    const draft: StepDraft = path.startsWith('/.well-known/') ? { why: DISCOVERY } : stepOf(exchange, values, world)
    const name = `${draft.kind ?? 'request'}_${drafts.length}`
    values.addResult(exchange, draft.why === undefined ? name : undefined, draft.kind === 'request' ? ['body'] : [])
    if (draft.why === undefined) drafts.push({ ...draft, name })
    else leaveOut(`${method} ${values.redacted(path)}`, draft.why)
  }
  expectDone()
  const text = JSON.stringify(drafts.map(({ step }) => step))
  // Only a step that others refer to needs a name.
  const steps = drafts.map(({ name, step }): object =>
    name !== undefined && text.includes(`\${${name}.`) ? { name, ...step } : { ...step },
  )
  return { scenario: { title: `Recorded at ${world.clock.timestamp(null)}`, steps }, left_out }
}

const VISIT =
  'what a person does at an app is not seen. If a visit caused what follows, add it here: { "visit": { "app": …, "url": "/…" } }'
const DISCOVERY = 'apps fetch it when they need it, and the sender is not known'

/** Real time that a run of the recording waits for what the app did. */
const PATIENCE = '5s'

/** Distinguishes requests of apps from those of people and scripts. control-api: "Scenarios" */
class RecordedApps {
  /** Tokens that a control call returned and no webhook delivered, and those refreshed from them. */
  readonly #ofScript = new Set<unknown>()

  /** Returns true for a request with an app's token, and for a webhook that the app acknowledged. */
  isOfApp(exchange: Exchange): boolean {
    const { surface, path, identity, request, status, notes } = exchange
    if (identity.app === undefined) return false
    if (surface === 'webhook') return status !== null && status < 300 && notes.fault === undefined
    if (surface === 'api') return !this.#ofScript.has(bearerOf(request.headers))
    if (path !== '/oauth/token') return false
    const form = bodyOf(request)
    const isOfScript = isObject(form) && this.#ofScript.has(form.refresh_token)
    if (isOfScript) this.#give(bodyOf(exchange.response))
    return !isOfScript
  }

  addCall({ path, response }: Exchange): void {
    const result = bodyOf(response)
    if (!isObject(result)) return
    if (path === '/_admin/tokens') this.#give(result)
    else if (result.delivery === null) this.#give(result.credentials)
  }

  #give(credentials: unknown): void {
    if (!isObject(credentials)) return
    for (const token of [credentials.access_token, credentials.refresh_token]) if (token) this.#ofScript.add(token)
  }
}

function expectationsOf(exchanges: Exchange[], values: RecordedValues): StepDraft[] {
  const times = new Map<string, number>()
  for (const exchange of exchanges) {
    const expected = JSON.stringify(expectationOf(exchange, values))
    times.set(expected, (times.get(expected) ?? 0) + 1)
  }
  return [...times].map(([expected, min]) => {
    const [kind, fields] = JSON.parse(expected) as ['expect_delivery' | 'expect_requests', object]
    return { kind, step: { [kind]: { ...fields, count: { min }, within: PATIENCE } } }
  })
}

const expectationOf = ({ surface, delivery, method, path, status, identity }: Exchange, values: RecordedValues) => {
  if (surface === 'webhook') return ['expect_delivery', { event: delivery?.event, state: 'acknowledged' }]
  const { app, organization } = identity
  const segments = path.split('/').map((segment) => {
    const text = values.written(segment)
    return text === undefined || (text === literal(segment) && values.isGenerated(segment)) ? '*' : text
  })
  const sent = { method, path: segments.join('/'), status, app }
  return ['expect_requests', { ...sent, organization: organization && values.written(organization) }]
}
