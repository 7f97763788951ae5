import { adminToken, base, type Call } from './call.js'

interface CurlRequest {
  method: string
  url: URL
  /** Quoted for a shell. */
  headers: string[]
  body: string | undefined
}

/** The request as a command for a terminal. */
export const curl = ({ method, url, headers, body }: CurlRequest): string =>
  [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    shellQuoted(url.href),
    ...headers.flatMap((header) => ['-H', header]),
    ...(body === undefined ? [] : ['-d', shellQuoted(body)]),
  ].join(' ')

/** The text as one word of a POSIX shell. */
export const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The control call as a command; the admin token is a variable in it. */
export function curlOfCall({ method, path, body }: Call): string {
  const token = adminToken.value === undefined ? [] : ['"Authorization: Bearer $MOCKADEMY_ADMIN_TOKEN"']
  const type = body === undefined ? [] : [shellQuoted('Content-Type: application/json')]
  const text = body === undefined ? undefined : JSON.stringify(body)
  return curl({ method, url: new URL(path.slice(1), base), headers: [...token, ...type], body: text })
}

/** A command of `mockademy` that reaches this emulator, with `--url` unless it has the default address. */
export const commandLine = (command: string) =>
  `mockademy ${command}${base.origin === 'http://127.0.0.1:4600' ? '' : ` --url ${base.origin}`}`
