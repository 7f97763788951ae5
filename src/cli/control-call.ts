import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Options } from 'yargs'
import type { Arguments } from './command.js'
import { CommandFailure } from './command-failure.js'

const DEFAULT_URL = 'http://127.0.0.1:4600'

/** Flags of every command that talks to a running emulator. control-api: "CLI" */
export const controlFlags = {
  url: { type: 'string', describe: `Address of the emulator [MOCKADEMY_URL, else ${DEFAULT_URL}]`, requiresArg: true },
  'admin-token': { type: 'string', describe: 'Its admin token [MOCKADEMY_ADMIN_TOKEN]', requiresArg: true },
  json: { type: 'boolean', describe: "Print the control API's answer as it is" },
} as const satisfies Record<string, Options>

export interface ControlCall {
  /** Without a trailing slash. */
  url: string
  method: string
  path: string
  body?: unknown
  adminToken?: string | undefined
  /** In real milliseconds; none when left out. */
  timeout?: number
}

/** The origin of the emulator to talk to. @throws CommandFailure 2 when it is not an http(s) URL. */
export function urlOf(args: Arguments): string {
  const [name, text] = args.url
    ? ['--url', String(args.url)]
    : ['MOCKADEMY_URL', process.env.MOCKADEMY_URL || DEFAULT_URL]
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new CommandFailure(2, `mockademy: ${name} ${JSON.stringify(text)}: must be an http or https URL`)
  }
  return new URL(text).origin
}

/**
 * One call of the control API. Not `fetch`: it cannot be told of the local certificate authority.
 * @throws CommandFailure 1 when nothing answers.
 */
export async function controlCall(call: ControlCall): Promise<{ status: number; body: unknown }> {
  const { url, method, path, body, adminToken, timeout } = call
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const isHttps = url.startsWith('https:')
  const ca = isHttps ? (await import('../tls/authority.js')).trustedAuthorities() : undefined
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(new CommandFailure(1, `mockademy: no answer from ${url} (${error.code ?? error.message}); is it running?`))
    const request = (isHttps ? requestHttps : requestHttp)(
      url + path,
      {
        method,
        agent: false,
        ca,
        headers: {
          accept: 'application/json',
          ...(sent !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
          ...(adminToken && { authorization: `Bearer ${adminToken}` }),
        },
        ...(timeout !== undefined && { signal: AbortSignal.timeout(timeout) }),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks)) }))
      },
    )
    request.on('error', fail)
    request.end(sent)
  })
}

/** The answer's JSON value; its text where it is none, as from a server that is not an emulator. */
function parsed(bytes: Buffer): unknown {
  const text = bytes.toString()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
