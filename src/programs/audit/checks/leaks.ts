import { open } from 'node:fs/promises'
import type { WireExchange } from '../../../control/client/wire.js'
import type { Scene } from '../scene.js'
import { JWT } from '../secrets.js'
import { counted, fail, Inconclusive, pass, type Verdict } from '../verdict.js'
import { acceptsGenuine, refusesForgeries, untold } from './genuine.js'
import { signedInPerson } from './signing-in.js'

/** Looks through everything that the app has answered in the run, and its logs, for what must stay with it. */
export async function leaks(scene: Scene): Promise<Verdict> {
  await hasHadSecrets(scene)
  await learnSecrets(scene)
  const inAnswers = scene.exchanges.flatMap((exchange) => {
    const found = kindsIn(scene, exchange)
    return found.length > 0 ? [{ exchange, found }] : []
  })
  const [first] = inAnswers
  if (first) {
    const kinds = [...new Set(inAnswers.flatMap(({ found }) => found))].join(', ')
    const where = [...new Set(inAnswers.map(({ exchange }) => new URL(exchange.url).pathname))].slice(0, 5).join(', ')
    return fail(`Secrets in responses of the app: ${kinds}`, { sent: first.exchange, seen: `at ${where}` })
  }
  const inLogs = await Promise.all([...scene.logsFrom].map(([path, from]) => logLeaks(scene, path, from)))
  const logged = inLogs.flat()
  if (logged.length > 0) return fail(`Secrets in the logs: ${logged[0]}`, { seen: logged.slice(0, 10).join('; ') })
  const logs = scene.file.logs ? ` and ${counted(scene.file.logs.length, 'log file')}` : '; no logs are declared'
  return pass(`No secrets in ${counted(scene.exchanges.length, 'response')}${logs}`)
}

/**
 * The positive twin: an app that signs people in, or takes credentials, has something to leak. Both are tried, so that
 * there is something to look through when this check runs alone. @throws Inconclusive when the app does neither.
 */
async function hasHadSecrets(scene: Scene): Promise<void> {
  const proofs = [
    ...(scene.file.start && scene.app.parts.has('oauth.authorize') ? [signedInPerson(scene)] : []),
    ...(scene.app.webhook ? [takesCredentials(scene)] : []),
  ]
  if (proofs.length === 0)
    throw new Inconclusive('declare "start", because without it the app receives no secret that it could leak')
  const proven = await Promise.allSettled(proofs)
  const [first] = proven
  if (first?.status === 'rejected' && proven.every(({ status }) => status === 'rejected')) throw first.reason
}

async function takesCredentials(scene: Scene): Promise<void> {
  await refusesForgeries(scene)
  const { tenant, body } = await untold(scene)
  await acceptsGenuine(scene, tenant, body)
}

/** What the audit has not been told: tokens that refreshes and sign-ins brought, codes, the client secret. */
async function learnSecrets({ platform, app, secrets }: Scene): Promise<void> {
  const state = await platform.admin.getState()
  const own = new Set(platform.made.map(({ slug }) => slug))
  const registered = state.apps?.find(({ client_id }) => client_id === app.clientId)
  secrets.add(registered?.client_secret, 'client secret')
  for (const token of state.tokens ?? []) {
    if (own.has(String(token.organization))) secrets.add(String(token.secret), `${token.kind} token`)
  }
  for (const code of state.codes ?? []) if (own.has(String(code.organization))) secrets.add(String(code.secret), 'code')
}

/** The kinds of secrets in an answer; its own cookies are for `signin.cookie` to judge. */
function kindsIn({ secrets, issuer }: Scene, { answer }: WireExchange): string[] {
  const { 'set-cookie': _, ...others } = answer.headers
  const headers = Object.values(others).join('\n')
  const text = `${headers}\n${answer.body}`
  return [...secrets.foundIn(text), ...(idTokensIn(text, issuer) ? ['id_token'] : [])]
}

/** Whether a text holds a JWT that the platform has issued. */
const idTokensIn = (text: string, issuer: string): boolean =>
  [...text.matchAll(JWT)].some(([token]) =>
    Buffer.from(token.split('.')[1] ?? '', 'base64url')
      .toString()
      .includes(`"iss":"${issuer}"`),
  )

/** The lines that the run added to a log and that hold a secret, by number from where it began. */
async function logLeaks({ secrets, issuer }: Scene, path: string, from: number): Promise<string[]> {
  const text = await textFrom(path, from)
  return text.split('\n').flatMap((line, index) => {
    const kinds = [...secrets.foundIn(line), ...(idTokensIn(line, issuer) ? ['id_token'] : [])]
    return kinds.length > 0 ? [`${path}, line ${index + 1} since the start of the audit: ${kinds.join(', ')}`] : []
  })
}

/** @throws Inconclusive when the file is not there: a log that nobody can read shows nothing. */
async function textFrom(path: string, from: number): Promise<string> {
  const file = await open(path).catch(() => {
    throw new Inconclusive(`logs: ${path} cannot be read`)
  })
  try {
    const { size } = await file.stat()
    // A log that has been cut meanwhile is read from its beginning.
    const start = size < from ? 0 : from
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer.subarray(0, bytesRead).toString()
  } finally {
    await file.close()
  }
}
