import type { World } from '../../emulator/world/world.js'
import { knownCredential } from './known-credential.js'

/** Texts that programs send in place of a credential or an id. One that may hold a secret is not quoted (`$&`). */
const slips: [pattern: RegExp, description: string][] = [
  [/^(?:undefined|null|none|nil|nan)$/i, 'is the text "$&": the variable that it is read from has no value'],
  [/^\[object [A-Z][A-Za-z]{1,30}\]$/, 'is the text "$&": an object was used as text, or an await is missing'],
  [/^\s.*$|^.*\s$/s, 'has white space around it: send it without'],
  [/^(["'`]).*\1$/, 'is in quotes: send it without them'],
  [/^b(["']).*\1$/, 'is a bytes object of Python as text: decode it first'],
  [/^\{\s*".*\}$/s, 'is JSON: send one of its values'],
  [/^(?:\$\w+|:[a-z]\w*|\$?\{.+\}|<.+>|%\w+%)$/, 'is a variable or placeholder that was not replaced by its value'],
]

/** Mistakes in an `Authorization` header without a bearer credential. */
const headerSlips: [pattern: RegExp, description: string][] = [
  [/^bearer$/i, 'the credential is empty'],
  [/^bearer +bearer\b.*/i, 'it has the word Bearer twice'],
  [/^bearer .*/i, 'the credential has a space in it'],
  [/^(basic|digest|token|jwt|key|api-?key|oauth)( .*)?$/i, 'the scheme is $1'],
  [/^\S+$/, 'it has no scheme'],
]

const LOST = 'the world was reset or restarted, it was deleted since, or another emulator issued it'
/** Names of secrets by the prefix that the emulator gives them, and why a world may not have one. wire: §6 */
const forms = new Map([
  ['at', `an access token, but this world does not have it: ${LOST}. Install the app or sign in again`],
  ['rt', `a refresh token, but this world does not have it: ${LOST}. Install the app or sign in again`],
  ['ac', `an authorization code, but this world does not have it: ${LOST}. Sign in again`],
  ['cs', `a client secret, but this world does not have it: ${LOST}`],
  ['key', `an API key, but this world does not have it: it was regenerated, or ${LOST}`],
])

/** Describes a text that a program sends by mistake, whatever it is for; undefined for any other. */
export function describeText(text: string): string | undefined {
  const slip = slips.find(([pattern]) => pattern.test(text))
  return slip && text.replace(...slip)
}

/** Describes an `Authorization` header without a bearer credential, for the journal. */
export function describeHeader(authorization: string | undefined): string {
  if (!authorization) return 'No Authorization header was sent'
  const text = describeText(authorization.replace(/^bearer +/i, ''))
  if (text) return `The credential ${text}`
  const slip = headerSlips.find(([pattern]) => pattern.test(authorization))
  return `The Authorization header is not "Bearer <credential>"${slip ? `: ${authorization.replace(...slip)}` : ''}`
}

/**
 * Describes a text that was sent in place of a credential, for the journal; undefined when nothing is known about it.
 * @param name the parameter that has it, or `credential` for a bearer credential.
 */
export function describeMistaken(
  world: Pick<World, 'addresses' | 'store'>,
  text: string,
  name: string,
): string | undefined {
  const known = world.store.organizations.by('api_key', text) ? 'An API key' : knownCredential(world, text)?.name
  if (known) return `${known} was sent ${name === 'credential' ? 'where an access token is needed' : `as ${name}`}`
  const description = describeSlip(world, text)
  return description && `The ${name} ${description}`
}

function describeSlip({ store: { apps } }: Pick<World, 'store'>, text: string): string | undefined {
  const slip = describeText(text)
  if (slip) return slip
  if (/^bearer /i.test(text)) return 'begins with the word Bearer: send what follows it'
  const app = apps.by('client_id', text) ?? apps.get(text)
  if (app)
    return text === app.client_id
      ? 'is the client_id of an app'
      : `is the id of an app whose client_id is ${app.client_id}`
  const form = forms.get(/^([a-z]+)_[\w-]{43}$/.exec(text)?.[1] ?? '')
  return form && `has the form of ${form}`
}
