import { parseArgs } from 'node:util'
import { temporaryFolder } from '../../bench/temporary.js'
import { type Client, clients } from './clients.js'
import { install, versionOf } from './install.js'
import { type Row, writeRows } from './table.js'
import { startTrial } from './trial.js'

/**
 * Signs in with each client of clients.ts, once for each forgery, and writes into the table of docs/clients.md what it
 * let through. `npm run clients -- authlib go-oidc` tries those only, `--show` prints each response. Clients that
 * cannot be installed here are reported, and their rows stay as they are. `--liberties 20` signs in once under each of 20
 * seeds instead, and writes nothing.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'boolean', default: false }, liberties: { type: 'string' } },
})

/** Signs in under each of the seeds, with a new emulator and a new process of the app. */
async function signInFreely(client: Client, seeds: number): Promise<void> {
  const subject = await install(client, await temporaryFolder('client'), 'registry')
  for (let seed = 1; seed <= seeds; seed++) {
    const trial = await startTrial(subject, { liberties: seed })
    const { accepted, answer } = await trial.signIn().finally(trial.stop)
    if (!accepted) throw new Error(`It does not sign in with --liberties ${seed}: ${plain(answer)}`)
  }
}

async function tryClient(client: Client): Promise<Row> {
  const folder = await temporaryFolder('client')
  const subject = await install(client, folder, 'registry')
  const trial = await startTrial(subject)
  try {
    const genuine = await trial.signIn()
    if (!genuine.accepted) throw new Error(`It does not sign in with a genuine id_token: ${genuine.answer}`)
    const accepted = await trial.tryForgeries((name, verdict) => {
      if (values.show) console.log(`  ${name}: ${verdict.accepted ? 'ACCEPTED' : 'refused'}: ${plain(verdict.answer)}`)
    })
    const again = await trial.signIn()
    if (!again.accepted) throw new Error(`It does not sign in any more: ${again.answer}`)
    const version = await versionOf(client, folder)
    const tried = new Date().toISOString().slice(0, 10)
    return { client: client.name, page: client.folder, version, tried, accepted }
  } finally {
    await trial.stop()
  }
}

const chosen = clients.filter(({ folder }) => positionals.length === 0 || positionals.includes(folder))
for (const client of chosen) {
  try {
    if (values.liberties !== undefined) {
      if (client.without !== undefined) continue
      await signInFreely(client, Number(values.liberties))
      console.log(`${client.name}: signs in under ${values.liberties} seeds`)
      continue
    }
    const row = await tryClient(client)
    console.log(`${client.name} ${row.version}: ${row.accepted.join(', ') || 'nothing'}`)
    writeRows(
      [row],
      clients.map(({ name }) => name),
    )
  } catch (error) {
    process.exitCode = 1
    console.log(`${client.name}: ${error instanceof Error ? error.message : error}`)
  }
}

/** The beginning of a response without markup, on one line. */
function plain(answer: string): string {
  const text = answer.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/g, ' ')
  return text.replace(/\s+/g, ' ').slice(0, 160)
}
