import { open } from 'node:fs/promises'
import type { AuditContext } from '../context/context.js'
import { Inconclusive } from '../context/failures.js'
import { installWithoutWebhook, mustAcceptGenuine, mustRejectForgeries } from '../context/installing.js'
import { claimsIn } from '../context/secrets.js'
import { counted, defineChecks, fail, pass } from './check.js'
import { mustSignIn } from './person.js'

export const leaks = defineChecks([], {
  leaks: {
    title: 'leaks no tokens, codes or secrets',
    severity: 'critical',
    source: 'spec: §5.2.7; ASVS 5.0 14.2',
    expected: 'No token, code, id_token or secret in the headers, body or URLs of a response, or in a log line.',
    remedy:
      "Do not forward the platform's responses as they are, do not log the query or headers of requests, and redact errors.",
    order: 'last',
    async run(context) {
      await mustHaveSecrets(context)
      await learnSecrets(context)
      const { exchanges, file, logSizes } = context
      const leaking = exchanges.flatMap((exchange) => {
        // The app's own cookies are the matter of `signin.cookie`.
        const { 'set-cookie': _, ...headers } = exchange.response.headers
        const kinds = secretsIn(context, `${Object.values(headers).join('\n')}\n${exchange.response.body}`)
        return kinds.length > 0 ? [{ exchange, kinds }] : []
      })
      if (leaking[0]) {
        const kinds = [...new Set(leaking.flatMap((each) => each.kinds))].join(', ')
        const paths = [...new Set(leaking.map(({ exchange }) => new URL(exchange.url).pathname))].slice(0, 5)
        const evidence = { sent: leaking[0].exchange, seen: `at ${paths.join(', ')}` }
        return fail(`Secrets in responses of the app: ${kinds}`, evidence)
      }
      const lines = await Promise.all([...logSizes].map(([path, size]) => leaksInLog(context, path, size)))
      const logged = lines.flat()
      if (logged.length > 0) return fail(`Secrets in the logs: ${logged[0]}`, { seen: logged.slice(0, 10).join('; ') })
      const logs = file.logs ? ` and ${counted(file.logs.length, 'log file')}` : '; no logs are declared'
      return pass(`No secrets in ${counted(exchanges.length, 'response')}${logs}`)
    },
  },
})

/**
 * The positive twin: signs in and installs, so that the app has something to leak, also when this check runs alone.
 * @throws Inconclusive when neither works.
 */
async function mustHaveSecrets(context: AuditContext): Promise<void> {
  const { app, file } = context
  const attempts = [
    ...(file.start && app.parts.has('oauth.authorize') ? [mustSignIn(context)] : []),
    ...(app.webhook ? [mustAcceptCredentials(context)] : []),
  ]
  if (attempts.length === 0) {
    throw new Inconclusive('declare "start", because without it the app receives no secret that it could leak')
  }
  const results = await Promise.allSettled(attempts)
  const [first] = results
  if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw first.reason
}

async function mustAcceptCredentials(context: AuditContext): Promise<void> {
  await mustRejectForgeries(context)
  const { tenant, body } = await installWithoutWebhook(context)
  await mustAcceptGenuine(context, tenant, body)
}

/** Adds the secrets that the audit did not see: tokens of refreshes and sign-ins, codes, the client secret. */
async function learnSecrets({ platform, app, secrets }: AuditContext): Promise<void> {
  const state = await platform.admin.getState()
  const own = new Set(platform.made.map(({ slug }) => slug))
  const registered = state.apps?.find(({ client_id }) => client_id === app.clientId)
  secrets.add(registered?.client_secret, 'client secret')
  for (const token of state.tokens ?? []) {
    if (own.has(String(token.organization))) secrets.add(String(token.secret), `${token.kind} token`)
  }
  for (const code of state.codes ?? []) if (own.has(String(code.organization))) secrets.add(String(code.secret), 'code')
}

/** Returns the kinds of the secrets in a text. */
function secretsIn({ secrets, issuer }: AuditContext, text: string): string[] {
  const hasIdToken = claimsIn(text).some((claims) => claims.includes(`"iss":"${issuer}"`))
  return [...secrets.foundIn(text), ...(hasIdToken ? ['id_token'] : [])]
}

/**
 * Describes the lines with a secret that the run added to a log.
 * @throws Inconclusive when the file cannot be read, because that shows nothing.
 */
async function leaksInLog(context: AuditContext, path: string, sizeBefore: number): Promise<string[]> {
  const text = await readFrom(path, sizeBefore)
  return text.split('\n').flatMap((line, index) => {
    const kinds = secretsIn(context, line)
    return kinds.length > 0 ? [`${path}, line ${index + 1} since the start of the audit: ${kinds.join(', ')}`] : []
  })
}

async function readFrom(path: string, sizeBefore: number): Promise<string> {
  const file = await open(path).catch(() => {
    throw new Inconclusive(`logs: ${path} cannot be read`)
  })
  try {
    const { size } = await file.stat()
    // A log that was truncated meanwhile is read from its beginning.
    const start = size < sizeBefore ? 0 : sizeBefore
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer.subarray(0, bytesRead).toString()
  } finally {
    await file.close()
  }
}
