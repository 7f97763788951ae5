import { pluralize } from '../../reports/pluralize.js'
import { MAX_TRIES, mostAttempts, noCall } from '../app/app-requests.js'
import { describeResponse } from '../app/app-response.js'
import type { Evidence } from '../app/failures.js'
import type { AuditContext } from '../context/context.js'
import { observeAttempts } from '../context/fresh-connections.js'
import { installAndProbe } from '../context/installing.js'
import { fail, failOfRefreshes, pass, tryEach, type Verdict } from './check.js'

const MAX_RESPONSE_MS = 30_000
/** The HTTP client of Java's JDK repeats a GET by itself, once, when its connection is reset. */
const MAX_TRIES_BY_RESETS = 2 * MAX_TRIES

const outages = {
  'returns 503': { status: 503 },
  'resets connections': { connection: 'reset' },
  'does not respond': { connection: 'hang' },
  'cuts off its responses': { connection: 'truncate' },
  'returns HTML': { status: 200, body: 'html' },
}

async function duringOutage(context: AuditContext, what: string, effect: object): Promise<Verdict> {
  const tenant = await installAndProbe(context)
  const usual = await tenant.observeProbe()
  const observe = async () => {
    const observed = await tenant.observeProbeUnder({ match: { surface: 'api' }, effect })
    return { ...observed, attempts: mostAttempts(observed.api, usual.api) }
  }
  const max = what === 'resets connections' ? MAX_TRIES_BY_RESETS : MAX_TRIES
  const { sent, calls, attempts, refreshes, rejected } = await observeAttempts({ max, observe }, tenant)
  const seen = `${describeResponse(sent)} after ${sent.duration} ms and ${pluralize(calls, 'request')}`
  const evidence = { sent, seen }
  if (calls === 0) throw noCall(evidence)
  if (sent.status === null || sent.duration > MAX_RESPONSE_MS) {
    const { value: after } = await tenant.awaitService()
    if (after.status === null) return failOfSilence(describeResponse(after), evidence)
    const late = sent.duration < MAX_RESPONSE_MS
    const soon = late ? ': it ends the connection' : ' within 30 s'
    return fail(`While the platform ${what}, the app does not respond${soon}`, { ...evidence, late })
  }
  // spec: §5.2.3
  const vain = `While the platform ${what}, the app refreshes its token without a 401`
  if (refreshes.length > 0 && rejected.length === 0) return failOfRefreshes(context, vain, evidence)
  if (attempts > max) {
    // Other checks may have opened connections meanwhile.
    const message = `While the platform ${what}, one probe sends the same request ${attempts} times`
    return fail(message, { ...evidence, late: true })
  }
  const { value: after, holds } = await tenant.awaitService()
  if (holds) return pass(`${what} (${pluralize(calls, 'request')})`)
  if (after.status === null) return failOfSilence(describeResponse(after), evidence)
  return fail(`The app does not recover after the platform ${what}: ${describeResponse(after)}`, evidence)
}

/** Makes a failure of an app that is gone or hangs. Any of the outages, which are tried side by side, may be the cause. */
function failOfSilence(now: string, evidence: Evidence): Verdict {
  const tried = Object.keys(outages).join('; ')
  const message = `The app no longer responds after the platform fails side by side (${tried}): ${now}`
  // Trying again would find it gone, and nothing to blame for that.
  return fail(message, { ...evidence, late: false })
}

export const surviveOutages = tryEach(outages, duringOutage, (tried) => {
  return `A response in time and no request more than ${MAX_TRIES} times while the platform ${tried.join('; ')}`
})
