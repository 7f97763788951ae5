import type { DeliveryFacts } from '../../emulator/world/exchange.js'
import { jsonOrText } from '../../foundation/http/json-or-text.js'
import type { SendFailure } from '../../foundation/http-client/send.js'
import { shortDuration } from '../../foundation/schema/duration.js'
import { isObject } from '../../foundation/schema/is-object.js'

/** A webhook that was not acknowledged, as it was sent. */
export interface FailedWebhook {
  url: URL
  /** As sent. */
  body: string
  signingSecret: string
  sent: DeliveryFacts['sent']
  /** The name of the header that carried the signature. */
  signatureHeader: string
  /** Real milliseconds that the app had, and the setting that says so. */
  window: number
  windowSetting: string
}

interface Unanswered extends FailedWebhook {
  failure: Pick<SendFailure, 'kind' | 'code' | 'message'>
}

interface Rejected extends FailedWebhook {
  status: number
  /** The text of the app's response, and its first line. */
  text: string
  said: string | undefined
  /** The address that the app redirected to. */
  location: URL | undefined
}

/** A likely cause: the failures that it explains, and its sentence, which also names the way out. */
interface Cause<F> {
  explains(failed: F): boolean
  sentence(failed: F): string
}

/** Codes of a connection that is refused, also on a machine without IPv6. */
const noConnection = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH', 'EAFNOSUPPORT'])
const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/
const addressOf = ({ host, protocol, port }: URL) =>
  port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host

/** Causes of no response; the first that explains a failure is named. dev: "Why, for webhooks as for requests" */
const noResponse: Cause<Unanswered>[] = [
  { explains: ({ failure }) => failure.kind === 'refused', sentence: ({ failure }) => failure.message },
  {
    explains: ({ failure }) => failure.kind === 'timeout',
    sentence: ({ window, windowSetting }) =>
      `no response within ${shortDuration(window)} (${windowSetting}): respond with 200 first, and do the work afterwards`,
  },
  {
    explains: ({ failure, url }) => noConnection.has(failure.code ?? '') && url.hostname === '[::1]',
    sentence: ({ url }) =>
      `nothing listens at ${addressOf(url)}, the IPv6 address of this machine: an app that listens on 127.0.0.1 only cannot be reached there, so write localhost in webhook.url, or start the app`,
  },
  {
    explains: ({ failure }) => failure.code === 'ECONNREFUSED',
    sentence: ({ failure, url }) =>
      `nothing listens at ${addressOf(url)} (${failure.message}): start the app, or correct the port in webhook.url`,
  },
  {
    explains: ({ failure }) => failure.code === 'ENOTFOUND' || failure.code === 'EAI_AGAIN',
    sentence: ({ failure, url }) =>
      `the host name ${url.hostname} cannot be resolved (${failure.message}): correct it in webhook.url`,
  },
  {
    explains: ({ failure }) => certificateCodes.test(failure.code ?? ''),
    sentence: ({ failure }) =>
      `the app's certificate is not trusted (${failure.message}): name its authority in webhook_ca, or use http on localhost`,
  },
  {
    explains: ({ failure }) => /^(EPROTO$|ERR_SSL_)/.test(failure.code ?? ''),
    sentence: ({ failure, url }) =>
      `${addressOf(url)} does not speak https (${failure.code}): let webhook.url begin with http://, or serve https there`,
  },
  {
    explains: ({ failure }) => /^HPE_/.test(failure.code ?? ''),
    sentence: ({ failure, url }) =>
      `${addressOf(url)} does not speak HTTP (${failure.message}): another program may listen there`,
  },
  {
    explains: ({ failure }) => failure.code === 'ECONNRESET' || failure.code === 'EPIPE',
    sentence: ({ failure, url }) =>
      `${addressOf(url)} closed the connection without a response (${failure.message}): the app may have crashed, or expect https`,
  },
]

/** Text of an app that found no signature in the request. */
const missingSignature =
  /\b(missing|no|without|absent|required?)\b.{0,40}\bsignature|signature.{0,40}\b(missing|required|absent|not found)\b/i
/** Text of Django, Rails and Express middleware. */
const csrfFailure =
  /csrf (verification|token|check|cookie)|cross-site request forgery|authenticity ?token|invalid csrf/i
const isSlashApart = (a: string, b: string) => a !== b && a.replace(/\/$/, '') === b.replace(/\/$/, '')
const redirected = (status: number) => status >= 300 && status < 400
/** A redirect's query may hold a code or token. */
const shown = ({ origin, pathname }: URL) => origin + pathname

const noRoute = ({ url }: Rejected) =>
  `the program at ${addressOf(url)} has no route POST ${url.pathname}: correct the path or the port in webhook.url`

/** Causes of a response that does not acknowledge; the first that explains it is named. */
const badResponse: Cause<Rejected>[] = [
  {
    explains: ({ status, location, url }) =>
      redirected(status) && location?.host === url.host && isSlashApart(location.pathname, url.pathname),
    sentence: ({ location }) =>
      `redirects are not followed: the app's route differs by the slash at the end, so write ${shown(location as URL)} in webhook.url`,
  },
  {
    explains: ({ status, location, url }) =>
      redirected(status) && location?.protocol === 'https:' && url.protocol === 'http:',
    sentence: ({ location }) =>
      `redirects are not followed: the app sends http on to ${shown(location as URL)}, so switch its redirect to https off, or write that address in webhook.url`,
  },
  {
    explains: ({ status, location }) => redirected(status) && /log-?in|sign-?in|auth/i.test(location?.pathname ?? ''),
    sentence: ({ location }) =>
      `redirects are not followed: the app sends the webhook to its sign-in page (${shown(location as URL)}), so exempt its route from sign-in`,
  },
  {
    explains: ({ status, location }) => redirected(status) && location !== undefined,
    sentence: ({ location }) =>
      `redirects are not followed: the app sends the webhook on to ${shown(location as URL)}, so write that address in webhook.url`,
  },
  {
    explains: ({ status, text }) => status === 419 || ([400, 403, 422].includes(status) && csrfFailure.test(text)),
    sentence: () => "the app's CSRF protection rejected it: exempt the webhook's route, which its signature protects",
  },
  {
    explains: ({ status, said }) => status >= 400 && status < 500 && missingSignature.test(said ?? ''),
    sentence: ({ signatureHeader }) =>
      `the request carried ${signatureHeader}: the app reads another header, or a proxy before it removes this one`,
  },
  {
    explains: ({ status, said }) =>
      status === 401 || status === 403 || (status >= 400 && status < 500 && /signature|hmac|digest/i.test(said ?? '')),
    sentence: ({ body, signingSecret, signatureHeader }) =>
      `the signature was right: ${signatureHeader} is the HMAC-SHA256 of the ${Buffer.byteLength(body)} raw bytes of the body in lower-case hex, with ${secretText(signingSecret)}. Check that the app has this secret (PLATFORM_SIGNING_SECRET), verifies the raw body and not the parsed one, and compares hex and not base64`,
  },
  {
    // A handler's own body is JSON; some frameworks respond with JSON where there is no route.
    explains: ({ status, text }) => status === 404 && isObject(jsonOrText(text)),
    sentence: (failed) => `either the handler returned 404 and should return 200, or ${noRoute(failed)}`,
  },
  { explains: ({ status }) => status === 404, sentence: noRoute },
  {
    // Python's http.server answers 501.
    explains: ({ status }) => status === 405 || status === 501,
    sentence: ({ url }) => `the route ${url.pathname} at ${addressOf(url)} does not take POST: add it there`,
  },
  {
    explains: ({ status }) => status === 413,
    sentence: ({ body }) =>
      `the event has ${Buffer.byteLength(body)} bytes, which is over the limit of the app's body parser: raise it`,
  },
  {
    explains: ({ status }) => status === 415,
    sentence: () => 'the app does not accept Content-Type: application/json on this route',
  },
  {
    explains: ({ status }) => status === 400 || status === 422,
    sentence: () => 'the app could not read or does not accept the event, which is JSON: its own output may say more',
  },
  {
    explains: ({ status }) => status === 429,
    sentence: () => "the app limits how often it is called: exempt the webhook's route",
  },
  {
    explains: ({ status }) => status >= 502 && status <= 504,
    sentence: () => 'the app, or a proxy before it, is not ready: start the app, or correct the port of the proxy',
  },
  {
    explains: ({ status }) => status >= 500,
    sentence: () => 'the app failed while it handled the event: its own output says why',
  },
]

/** Names a secret by its last four characters, unless it has few more. */
const secretText = (secret: string) =>
  secret.length > 8 ? `the signing secret that ends in ${secret.slice(-4)}` : "the app's signing secret"

/** Returns why there was no response, with the likely cause. */
export const describeNoResponse = (failed: Unanswered): string =>
  noResponse.find(({ explains }) => explains(failed))?.sentence(failed) ?? failed.failure.message

/**
 * Returns what the app answered, with the likely cause. An app should reject a forged webhook, and may reject an altered
 * one, so that there is no cause to look for.
 */
export function describeBadResponse(failed: Rejected): string {
  const { status, said, sent } = failed
  // The text of a redirect repeats the address.
  const quoted = said === undefined || redirected(status) ? '' : ` ${JSON.stringify(said)}`
  const answered = `the app answered ${status}${quoted}`
  if (sent === 'forged' && status >= 400 && status < 500) return `${answered}, as it should: the webhook was forged`
  if (sent !== 'genuine') return answered
  const cause = badResponse.find(({ explains }) => explains(failed))
  return `${answered}; ${cause?.sentence(failed) ?? 'only a 2xx acknowledges'}`
}
