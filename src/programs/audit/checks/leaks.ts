import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createUnzip } from 'node:zlib'
import { pluralize } from '../../reports/pluralize.js'
import { Inconclusive } from '../app/failures.js'
import type { AuditContext } from '../context/context.js'
import { installWithoutWebhook, mustAcceptGenuine, mustTellApart } from '../context/installing.js'
import { canSignIn, mustSignIn } from '../context/person.js'
import { defineChecks, fail, pass, type Verdict } from './check.js'
import { encryption } from './library-words.js'

/** Places that a report names. */
const MAX_SHOWN = 5
/** Tokens that an app must encrypt when it stores them. spec: §5.2.7 */
const encryptedAtRest = ['access token', 'refresh token']
/** Pieces of a file overlap by this: longer than any secret. */
const OVERLAP_BYTES = 4_096
/** Of a compressed file, no more is searched. */
const MAX_UNPACKED_BYTES = 16 * 1024 ** 2

export const leaks = defineChecks({ needs: [], order: 'last' })({
  leaks: {
    title: 'leaks no tokens, codes or secrets',
    severity: 'critical',
    source: 'spec: §5.2.7; ASVS 5.0 14.2',
    expected: 'No token, code, id_token or secret in the headers, body or URLs of a response, or in a log line.',
    fix: "Do not forward the platform's responses as they are, do not log the query or headers of requests, and redact errors.",
    Node: "pino: redact: ['req.headers.authorization', 'req.headers.cookie', 'req.query.code']; morgan: :url without its query",
    Python: 'gunicorn: access_log_format with %(U)s, which has no query; logging.Filter for the rest',
    Go: 'log r.URL.Path, not r.URL or r.RequestURI',
    Ruby: 'Rails: config.filter_parameters += [:code, :token, :secret]',
    PHP: 'nginx: log_format with $uri instead of $request; Monolog: a processor that redacts',
    async run(context) {
      await mustHaveSecrets(context)
      await context.platform.learnSecrets()
      return findInResponses(context) ?? (await judgeLogs(context))
    },
  },
  'leaks.at-rest': {
    title: 'stores no token in clear text',
    severity: 'medium',
    needs: ['data'],
    source: 'spec: §5.2.7; ASVS 5.0 13.3.1',
    expected: 'No access token and no refresh token can be read in the files that the app stores data in.',
    fix: 'Encrypt tokens before you store them, with a key that is not stored beside them.',
    ...encryption,
    run: judgeFiles,
  },
})

/** The positive twin: gives the app something to leak. @throws Inconclusive when no sign-in and no install works. */
async function mustHaveSecrets(context: AuditContext): Promise<void> {
  const { app, state } = context
  const attempts = [
    ...(canSignIn(context) ? [mustSignIn(context)] : []),
    ...(app.webhook ? [mustAcceptCredentials(context)] : []),
  ]
  if (attempts.length === 0) {
    throw new Inconclusive('declare "start", because without it the app receives no secret that it could leak')
  }
  const results = await Promise.allSettled(attempts)
  const [first] = results
  // After a rotation that the app does not follow, no sign-in works.
  if (state.hasSignedIn) return
  if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw first.reason
}

async function mustAcceptCredentials(context: AuditContext): Promise<void> {
  await mustTellApart(context)
  const { tenant, body } = await installWithoutWebhook(context)
  await mustAcceptGenuine(context, tenant, body)
}

function findInResponses({ exchanges, secrets }: AuditContext): Verdict | undefined {
  const leaking = exchanges.flatMap((exchange) => {
    // The app's own cookies are the matter of `signin.cookie`.
    const { 'set-cookie': _, ...headers } = exchange.response.headers
    const kinds = secrets.foundIn(`${Object.values(headers).join('\n')}\n${exchange.response.body}`)
    return kinds.map((kind) => ({ exchange, kind, path: new URL(exchange.url).pathname }))
  })
  const [first] = leaking
  if (!first) return undefined
  const kinds = [...new Set(leaking.map(({ kind }) => kind))].join(', ')
  const places = countPlaces(leaking.map(({ kind, path }) => `${kind} at ${path}`))
  return fail(`Secrets in responses of the app: ${kinds}`, { sent: first.exchange, seen: places })
}

async function judgeLogs(context: AuditContext): Promise<Verdict> {
  const { exchanges, file, logSizes } = context
  const found = (await Promise.all([...logSizes].map(([path, size]) => leaksInLog(context, path, size)))).flat()
  const seen = countPlaces(found.map(({ kind, path }) => `${kind} in ${path}`))
  const secret = found.find(({ kind }) => kind !== 'code')
  if (secret) {
    const first = `${secret.path}, line ${secret.line} since the start of the audit`
    return fail(`Secrets in the logs: the first is the ${secret.kind} in ${first}`, { seen })
  }
  if (found.length > 0) {
    const lines = pluralize(found.length, 'line')
    // A code works once and for a minute.
    const message = `Authorization codes in the logs (${lines}); they are worthless once redeemed`
    return { outcome: 'warn', message, seen }
  }
  const logs = file.logs ? ` and ${pluralize(file.logs.length, 'log file')}` : '; no logs are declared'
  return pass(`No secrets in ${pluralize(exchanges.length, 'response')}${logs}`)
}

/** `access token in app.log (10 times); id_token in app.log`, the most frequent first. */
function countPlaces(places: string[]): string {
  const counts = new Map<string, number>()
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  const shown = sorted.slice(0, MAX_SHOWN).map(([place, count]) => (count > 1 ? `${place} (${count} times)` : place))
  return [...shown, ...(sorted.length > MAX_SHOWN ? [`${sorted.length - MAX_SHOWN} more places`] : [])].join('; ')
}

/** Finds the secrets in the lines that the run added to a log. @throws Inconclusive when the file cannot be read. */
async function leaksInLog({ secrets }: AuditContext, path: string, sizeBefore: number) {
  const throwUnreadable = ({ message }: Error) => {
    throw new Inconclusive(`the file ${path} of logs cannot be read: ${message}`)
  }
  const { size } = await stat(path).catch(throwUnreadable)
  // A log that was truncated meanwhile is read from its beginning.
  const log = await text(createReadStream(path, { start: size < sizeBefore ? 0 : sizeBefore })).catch(throwUnreadable)
  const lines = log.split('\n')
  return lines.flatMap((line, index) => secrets.foundIn(line).map((kind) => ({ kind, path, line: index + 1 })))
}

async function judgeFiles(context: AuditContext): Promise<Verdict> {
  const { file, folder, platform, secrets, startedAt } = context
  await mustHaveSecrets(context)
  await context.waitForBackground()
  await platform.learnSecrets()
  const declared = (file.data ?? []).map((path) => resolve(folder, path))
  const files = (await Promise.all(declared.map(filesAt))).flat()
  if (files.length === 0) throw new Inconclusive(`the paths in data hold no file: ${declared.join(', ')}`)
  const written = files.filter(({ changed }) => changed >= startedAt)
  if (written.length === 0) {
    throw new Inconclusive('none of the files of data was written to during the audit, so tokens are kept elsewhere')
  }
  const tokens: string[] = []
  // One after another: there may be more files than a process can open.
  for (const { path } of files) {
    const kinds = await kindsInFile(path, secrets.foundIn)
    tokens.push(...kinds.filter((kind) => encryptedAtRest.includes(kind)).map((kind) => `${kind} in ${path}`))
  }
  if (tokens.length > 0) {
    return fail('Tokens can be read in the files that the app stores data in', { seen: countPlaces(tokens) })
  }
  const size = files.reduce((sum, each) => sum + each.size, 0)
  const read = `${pluralize(files.length, 'file')} (${size} bytes), ${written.length} of them written to meanwhile`
  return pass(`No token of the run in ${read}`)
}

/** Returns the file at a path, or those in a folder. None where there is none: SQLite's journal comes and goes. */
async function filesAt(path: string): Promise<{ path: string; size: number; changed: number }[]> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats) return []
  if (!stats.isDirectory()) return [{ path, size: stats.size, changed: stats.mtimeMs }]
  const entries = await readdir(path, { withFileTypes: true })
  const own = entries.filter((entry) => entry.isFile() || entry.isDirectory())
  return (await Promise.all(own.map(({ name }) => filesAt(join(path, name))))).flat()
}

async function kindsInFile(path: string, foundIn: (text: string) => string[]): Promise<string[]> {
  const kinds = new Set<string>()
  const search = async (pieces: AsyncIterable<Buffer>, maxBytes = Number.POSITIVE_INFINITY) => {
    let last = ''
    let size = 0
    for await (const piece of pieces) {
      const joined = last + piece.toString('latin1')
      for (const kind of foundIn(joined)) kinds.add(kind)
      last = joined.slice(-OVERLAP_BYTES)
      size += piece.length
      if (size > maxBytes) return
    }
  }
  await search(createReadStream(path))
  // Reads gzip and zlib; any other file ends it at once.
  const unpacked = (pieces: AsyncIterable<Buffer>) => search(pieces, MAX_UNPACKED_BYTES)
  await pipeline(createReadStream(path), createUnzip(), unpacked).catch(() => undefined)
  return [...kinds]
}
