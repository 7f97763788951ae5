import { isDeepStrictEqual } from 'node:util'
import { MAX_JOURNALED_BODY } from '../../emulator/world/exchange.js'
import { type BoundCaller, type ToolContext, ToolFailure } from './composed-tool.js'
import { type Delivery, type Entry, entriesSince, newestEntry, presentDelivery } from './exchanges.js'

/** Sends a delivery again, and returns what is different now. */
export async function redeliver(call: BoundCaller, id: string): Promise<object> {
  const before = await call('getDelivery', { params: { id } })
  const delivery = await call('redeliver', { params: { id } })
  const repeated = `${delivery.event.type} to ${delivery.url}`
  return { repeated, ...compared(resultOf(before), resultOf(delivery)), delivery: presentDelivery(delivery) }
}

/** Headers such as `Date` are another's with each response. */
function resultOf({ attempts }: Delivery) {
  const { status, error, response } = attempts.at(-1) ?? {}
  return { status, error, body: response?.body }
}

/**
 * Sends a request to `/v0` again, and returns what is different now. Its credential is not in the journal, so another one
 * takes its place.
 * @throws ToolFailure for what cannot be sent without its secrets.
 */
export async function resend({ call, undo }: Pick<ToolContext, 'call' | 'undo'>, entry: Entry): Promise<object> {
  const { surface, method, path, query, app, organization, request } = entry
  if (surface !== 'api') {
    throw new ToolFailure(
      `Entry ${entry.id} is no request to /v0 and no webhook: codes, secrets and cookies are not kept, so only the app or a browser can send it again. Use try to make the app do so.`,
    )
  }
  if (organization === null)
    throw new ToolFailure(`Entry ${entry.id} has no known sender, so no token can take the place of its own`)
  if (request.length > MAX_JOURNALED_BODY)
    throw new ToolFailure(`Entry ${entry.id} is too large to repeat: the journal has only the first 64 KB of its body`)
  const search = new URLSearchParams(query)
  const type = request.headers['content-type']
  const minted = app === null ? undefined : await call('mintTokens', { body: { app, organization } })
  try {
    const step = {
      request: {
        ...{ method, path: search.size > 0 ? `${path}?${search}` : path },
        headers: {
          ...(type && { 'content-type': type }),
          ...(minted && { authorization: `Bearer ${minted.access_token}` }),
        },
        ...(request.length > 0 && { body: bodyOf(request) }),
        ...(!minted && { as: organization }),
      },
    }
    const since = await newestEntry(call)
    await call('runScenario', { body: { from: 'current', steps: [step] } as never })
    const again = (await entriesSince(call, since)).find((each) => each.path === path)
    const factsOf = ({ status, reason, response }: Entry) => ({ status, reason, body: response.body })
    const credential = minted ? 'a fresh token of the installation' : `the API key of ${organization}`
    return { repeated: `${method} ${path}, with ${credential}`, ...compared(factsOf(entry), again && factsOf(again)) }
  } finally {
    for (const token of minted ? [minted.access_token, minted.refresh_token] : []) {
      await undo('revokeTokens', { body: { token } }).catch(() => {})
    }
  }
}

/** Returns the body for a step, which sends a string as it is: one that was the value of JSON is quoted again. */
const bodyOf = ({ headers, body, length }: Entry['request']): unknown => {
  const isJson = typeof body === 'string' && /json/i.test(headers['content-type'] ?? '')
  return isJson && Buffer.byteLength(body) !== length ? JSON.stringify(body) : body
}

const compared = (before: Record<string, unknown>, after: Record<string, unknown> = {}) => ({
  changed: Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name])),
  before,
  after,
})
