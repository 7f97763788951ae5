import type { Exchange } from '../../emulator/world/exchange.js'
import { bearerOf } from '../../foundation/http/bearer.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { StepDraft } from './recorded-steps.js'
import { bodyOf, type RecordedValues } from './recorded-values.js'
import { literal } from './references.js'

/** Real time that a run of the recording waits for what the app did. */
const PATIENCE = '5s'

/** Distinguishes requests of apps from those of people and scripts. control-api: "Scenarios" */
export class RecordedApps {
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

  /** Takes note of the tokens in the response of a control call. */
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

/** Returns a step for each distinct kind of request that apps sent. */
export function expectationsOf(exchanges: Exchange[], values: RecordedValues): StepDraft[] {
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
