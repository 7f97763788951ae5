import type { DeliveryFacts } from '../../emulator/world/exchange.js'
import type { Addresses } from '../../emulator/world/world.js'
import { jsonObjectIn } from '../../foundation/http/json-or-text.js'
import type { SendFailure } from '../../foundation/http-client/send.js'
import { shortDuration } from '../../foundation/schema/duration.js'

/** A webhook that was not acknowledged, as it was sent. */
export interface FailedWebhook {
  url: URL
  body: string
  signingSecret: string
  sent: DeliveryFacts['sent']
  signatureHeader: string
  /** Real milliseconds that the app had, and the setting that says so. */
  window: number
  windowSetting: string
  /** Returns false once the app has acknowledged a webhook. */
  isFirst: () => boolean
  emulator: {
    /** The setting `host`, at which it listens. */
    host: string
    addresses: Addresses
  }
}

interface Rejected extends FailedWebhook {
  status: number
  headers: Record<string, string>
  /** The text of the app's response, and its first line. */
  text: string
  said: string | undefined
  /** The address that the app redirected to. */
  location: URL | undefined
}

/** Codes of a connection that is refused, also on a machine without IPv6. */
const noConnection = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH', 'EAFNOSUPPORT'])
const addressOf = ({ host, protocol, port }: URL) =>
  port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(?=:|$)/
const hostOf = ({ host }: URL) => host.replace(loopback, 'localhost')

/** Returns why there was no response, with the likely cause and the way out. dev: "Why, for webhooks as for requests" */
export function describeNoResponse(
  failure: Pick<SendFailure, 'kind' | 'code' | 'message'>,
  webhook: FailedWebhook,
): string {
  const { kind, code = '', message } = failure
  const { url, window, windowSetting, isFirst, emulator } = webhook
  const address = addressOf(url)
  if (kind === 'timeout') {
    const compiling = isFirst()
      ? '; a dev server that compiles this route at its first request responds to the next'
      : ''
    return `no response within ${shortDuration(window)} (${windowSetting}): respond with 200 first, and do the work afterwards${compiling}`
  }
  if (noConnection.has(code) && url.hostname === '[::1]') {
    return `nothing listens at ${address}, the IPv6 address of this machine: an app that listens on 127.0.0.1 only cannot be reached there, so write localhost in webhook.url, or start the app`
  }
  if (code === 'ECONNREFUSED') {
    // The image of the emulator sets this host.
    const elsewhere =
      emulator.host === '0.0.0.0' && loopback.test(url.host)
        ? '. If the emulator runs in a container, this is the container itself: for an app on your machine write host.docker.internal'
        : ''
    const onIPv6 = url.hostname === '127.0.0.1' ? ', or write localhost there for an app that listens on ::1 only' : ''
    return `nothing listens at ${address} (${message}): start the app, or correct the port in webhook.url${onIPv6}${elsewhere}`
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `the host name ${url.hostname} cannot be resolved (${message}): ${remedyForName(url.hostname)}`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the app's certificate is for another host (${message}): write that host in webhook.url, or make one for ${url.hostname}`
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return `the app's certificate is not valid at this time (${message}): renew it, or use http on localhost`
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code)) {
    return `the app's certificate is not trusted (${message}): name its authority in webhook_ca, or use http on localhost`
  }
  if (/^(EPROTO$|ERR_SSL_)/.test(code)) {
    return `${address} does not speak https (${code}): let webhook.url begin with http://, or serve https there`
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return `the headers of the app's response have more than 16 KB (${message}): set fewer or smaller cookies`
  }
  if (/^HPE_/.test(code)) return `${address} does not speak HTTP (${message}): another program may listen there`
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return `${address} closed the connection without a response (${message}): the app may have crashed, or expect https`
  }
  return message
}

function remedyForName(hostname: string): string {
  if (hostname === 'host.docker.internal') {
    return "write localhost in webhook.url, or, if the emulator runs in a container, start it with --add-host host.docker.internal:host-gateway (Compose's extra_hosts)"
  }
  if (/^(?!localhost$)[^.]+$/.test(hostname)) {
    return 'it looks like a service of Docker Compose, which only containers on its network can resolve. Run the emulator there, or publish the port of the app and write localhost in webhook.url'
  }
  return 'correct it in webhook.url'
}

/** Text of an app that found no signature in the request; of the Standard Webhooks libraries, no header of theirs. */
const missingSignature =
  /missing required headers\b|\b(missing|no|without|absent|required?)\b.{0,40}\bsignature|signature.{0,40}\b(missing|required|absent|not found)\b/i
/** Text of Django, Rails and Express middleware. */
const csrfFailure =
  /csrf (verification|token|check|cookie)|cross-site request forgery|authenticity ?token|invalid csrf|antiforgery/i
/** Short text of an app that compares Origin itself. */
const originFailure =
  /\b[cx]srf\b|cross-site request|\b(missing|invalid|bad) origin\b|\borigin( header)?( is)? (missing|invalid|wrong)/i
/** The message of Express, FastAPI, Django REST framework, Passport and Laravel where a sign-in is missing. */
const missingSignIn =
  /authori[sz]ation (token|header)|credentials_required|authentication credentials|not authenticated|unauthenticated|\b(bearer|(log|logged|sign)[ -]?in)\b/i

/** Guards that reject a webhook before the app's handler, recognized by the response. */
const guards: [isIn: (response: Rejected) => boolean, cause: string][] = [
  [
    ({ status, text, said = '' }) =>
      status === 419 || ([400, 401, 403, 422].includes(status) && (csrfFailure.test(text) || originFailure.test(said))),
    "the app's CSRF protection rejected it: exempt the webhook's route, which its signature protects",
  ],
  [
    ({ headers }) => /^AirTunes/.test(headers.server ?? ''),
    'AirPlay Receiver of macOS listens there: switch it off in the system settings, or choose another port for the app',
  ],
  [
    // Rails, Symfony, Vite, Django, and what webpack and Starlette have in common.
    ({ text }) =>
      /Blocked hosts?:|Untrusted Host|This host \(.{1,80}\) is not allowed|DisallowedHost|Invalid (HTTP_)?Host header/i.test(
        text,
      ),
    "the app's server rejects this host name: add the host of webhook.url to its allowed hosts",
  ],
  [
    ({ text }) => /not allowed by CORS|Invalid CORS request/i.test(text),
    "the app's CORS check rejected it: exempt the webhook's route, since webhooks have no Origin",
  ],
  [
    ({ status, headers, said = '' }) =>
      (status === 401 || status === 403) &&
      ((/^(Basic|Bearer|Token)\b/i.test(headers['www-authenticate'] ?? '') && !/webhook/i.test(said)) ||
        missingSignIn.test(said)),
    "the app's sign-in protection rejected it: exempt the webhook's route, which its signature protects",
  ],
]
const isRedirect = (status: number) => status >= 300 && status < 400

/** Names a secret by its last four characters, unless it has few more. */
const secretText = (secret: string) =>
  secret.length > 8 ? `the signing secret that ends in ${secret.slice(-4)}` : "the app's signing secret"

/**
 * Describes the app's response, with the likely cause. An app should reject a forged webhook, and may reject an altered
 * one, so that there is no cause to look for.
 */
export function describeBadResponse(failed: Rejected): string {
  const { status, said, sent } = failed
  // The text of a redirect repeats the address.
  const quoted = said === undefined || isRedirect(status) ? '' : ` ${JSON.stringify(said)}`
  const answered = `the app responded with ${status}${quoted}`
  if (sent === 'forged' && status >= 400 && status < 500) return `${answered}, as it should: the webhook was forged`
  if (sent !== 'genuine') return answered
  return `${answered}; ${causeOfBadResponse(failed)}`
}

/** Returns the likely cause of a response that does not acknowledge, and the way out. */
function causeOfBadResponse(failed: Rejected): string {
  const { url, status, text, said = '', location, signatureHeader, body, signingSecret, emulator } = failed
  const address = addressOf(url)
  const size = Buffer.byteLength(body)
  const isClientError = status >= 400 && status < 500
  const isEmulator = hostOf(new URL(emulator.addresses.base_url)) === hostOf(url)
  if (isEmulator && !url.pathname.startsWith('/_inbox/') && (status === 404 || status === 405)) {
    return `${address} is the emulator itself: write the address of the app in webhook.url`
  }
  if (isRedirect(status) && location) return causeOfRedirect(url, location)
  if (isClientError && missingSignature.test(said) && !/match/i.test(said)) {
    return `the request carried ${signatureHeader}: the app reads another header, or a proxy before it removes this one`
  }
  const namesSignature = /signature|hmac|digest/i.test(said)
  const guard = status >= 400 && !namesSignature && guards.find(([isIn]) => isIn(failed))
  if (guard) return guard[1]
  if (status === 401 || status === 403 || (isClientError && namesSignature)) {
    const charset = size > body.length ? ', nor one decoded as ISO-8859-1 (audit: webhook.raw-body)' : ''
    return `the signature was right: ${signatureHeader} is the HMAC-SHA256 of the ${size} raw bytes of the body in lower-case hex, with ${secretText(signingSecret)}. Check that the app has this secret (PLATFORM_SIGNING_SECRET), verifies the raw body and not the parsed one${charset}, and compares hex and not base64`
  }
  if (status === 404) {
    const noRoute = `the program at ${address} has no route POST ${url.pathname}: correct the path or the port in webhook.url`
    // A handler's own body is JSON; some frameworks respond with JSON where there is no route.
    return jsonObjectIn(text) ? `either the handler returned 404 and should return 200, or ${noRoute}` : noRoute
  }
  // Python's http.server answers 501.
  if (status === 405 || status === 501) {
    return `the route ${url.pathname} at ${address} does not take POST: add it there`
  }
  if (status === 413) {
    return `the event has ${size} bytes, which is over the limit of the app's body parser, or of a proxy (nginx: client_max_body_size): raise it`
  }
  return causes[status] ?? (status >= 500 ? FAILED : 'only a 2xx acknowledges')
}

const UNREAD = 'the app could not read or does not accept the event, which is JSON: its own output may say more'
const FAILED = 'the app failed while it handled the event: its own output says why'
const NOT_READY = 'the app, or a proxy before it, is not ready: start the app, or correct the port of the proxy'

/** The causes that a status names by itself. */
const causes: Record<number, string> = {
  400: UNREAD,
  415: 'the app does not accept Content-Type: application/json on this route',
  422: UNREAD,
  429: "the app limits how often it is called: exempt the webhook's route",
  502: NOT_READY,
  503: NOT_READY,
  504: NOT_READY,
}

function causeOfRedirect(url: URL, location: URL): string {
  // Its query may hold a code or token.
  const target = location.origin + location.pathname
  const [from, to] = [url, location].map(({ pathname }) => pathname.replace(/\/$/, ''))
  let cause = `the app sends the webhook on to ${target}, so write that address in webhook.url`
  if (location.href === url.href) {
    cause = `the app redirects the webhook to the same address (${target}), so respond with 200 there instead`
  } else if (target === url.origin + url.pathname) {
    cause = `the app redirects the webhook to the same path (${target}) with another query, so accept it there as it is, or write that query in webhook.url`
  } else if (location.host === url.host && location.pathname !== url.pathname && from === to) {
    cause = `the app's route differs by the slash at the end, so write ${target} in webhook.url`
  } else if (location.protocol === 'https:' && url.protocol === 'http:') {
    cause = `the app sends http on to ${target}, so switch its redirect to https off, or write that address in webhook.url`
  } else if (/log-?in|sign-?in|auth(?!or(?!i[sz]))/i.test(location.pathname)) {
    cause = `the app sends the webhook to its sign-in page (${target}), so exempt its route from sign-in`
  }
  return `redirects are not followed: ${cause}`
}
