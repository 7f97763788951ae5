import { signal } from '@preact/signals'
import { curl, shellQuoted } from './curl.js'

/** A control call: what every action of the page is made of, and shows. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From `/_admin` on, as the documentation writes it. */
  path: string
  body?: unknown
}

/** What the emulator says against a call: an RFC 9457 problem. control-api: rule 3 */
export class Problem extends Error {
  constructor(
    /** 0 when nothing answered. */
    readonly status: number,
    message: string,
    /** What is wrong with which field of the body. */
    readonly fields: { path: string; message: string }[] = [],
  ) {
    super(message)
  }
}

const TOKEN = 'mockademy-admin-token'

/** Where the emulator is: the folder that `_console` lies in, so that a path prefix of a proxy does no harm. */
export const base = new URL('../', import.meta.url)

/** The setting `admin_token`, kept for this tab's session only. console: Serving */
export const adminToken = signal(sessionStorage.getItem(TOKEN) ?? undefined)
/** The emulator wants another token than the one that is here, if any. */
export const tokenRefused = signal(false)

/** Goes on with this token. */
export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token)
  adminToken.value = token
  tokenRefused.value = false
}

/** Makes the call. @throws Problem when it is refused, or nothing answers. */
export async function sendCall<T>({ method, path, body }: Call): Promise<T> {
  let response: Response
  try {
    response = await fetch(new URL(path.slice(1), base), {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(adminToken.value !== undefined && { authorization: `Bearer ${adminToken.value}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch {
    throw new Problem(0, 'The emulator is not responding. Is it still running?')
  }
  const answer = (await response.json().catch(() => ({}))) as {
    title?: string
    detail?: string
    errors?: { path: string; message: string }[]
  }
  if (response.status === 401) tokenRefused.value = true
  if (!response.ok) {
    const message = answer.detail ?? answer.title ?? `The control API returned ${response.status}`
    throw new Problem(response.status, message, answer.errors)
  }
  return answer as T
}

/** A command of `mockademy` that reaches this emulator: the address it would go to by itself needs no saying. */
export const commandLine = (command: string) =>
  `mockademy ${command}${base.origin === 'http://127.0.0.1:4600' ? '' : ` --url ${base.origin}`}`

/** The call as a command for a terminal; the token stays a variable. */
export function curlOfCall({ method, path, body }: Call): string {
  const token = adminToken.value === undefined ? [] : ['"Authorization: Bearer $MOCKADEMY_ADMIN_TOKEN"']
  const type = body === undefined ? [] : [shellQuoted('Content-Type: application/json')]
  const text = body === undefined ? undefined : JSON.stringify(body)
  return curl({ method, url: new URL(path.slice(1), base), headers: [...token, ...type], body: text })
}
