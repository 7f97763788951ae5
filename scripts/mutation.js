// Mutation testing: changes the code of a room in one place, and sees whether a test of the room notices.
//   npm run mutation -- [--room oauth]… [--sample 40] [--seed x] [--at src/platform/oauth/pkce.ts:12]… [--json FILE]
// Exit status: 0 it ran, whatever the score; 1 it could not.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { instrument, sample } from './mutants.js'

const ROOT = resolve(import.meta.dirname, '..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/** Returns the paths of tests by room. @param words names below `test/`, with blanks between them. */
const pathsOf = (words) =>
  Object.fromEntries(
    Object.entries(words).map(([room, text]) => [room, (text.match(/\S+/g) ?? []).map((name) => `test/${name}`)]),
  )

/**
 * The tests that cover a room: folders, which end in a slash, and files. Not those that vitest.quick.config.ts leaves out;
 * a room that has no others has slow tests alone.
 */
const testsOf = pathsOf({
  admin: `
    admin/ client/client.test.ts fixtures/ journal/ members/ world/clock.test.ts
    world/organization-clocks.test.ts`,
  apps: `
    apps/ webhooks/webhooks.test.ts webhooks/webhook-safety.test.ts oauth/authorize.test.ts
    web-app/web-app.test.ts fixtures/ admin/sandboxes.test.ts api/openapi.test.ts`,
  api: 'api/ faults/ authentication/ http/ findings/findings.test.ts',
  authentication: 'authentication/ oauth/ members/ admin/ journal/ findings/credentials.test.ts',
  // Not public-api.test.ts, which needs declarations.
  client: `
    client/client.test.ts client/config.test.ts client/report-fixtures.test.ts client/stream.test.ts
    client/vitest-fixture.test.ts http-client/ admin/ console/stream.test.ts`,
  coverage: 'coverage/',
  elements: 'elements/ fixtures/element-fixtures.test.ts activities/ courses/ api/',
  faults: 'faults/ webhooks/webhook-faults.test.ts oauth/openid-connect.test.ts api/',
  findings: 'findings/',
  fixtures: 'fixtures/ admin/world.test.ts admin/admin.test.ts client/client.test.ts',
  http: 'http/ api/ oauth/ admin/ journal/ faults/',
  'http-client': 'http-client/ webhooks/',
  journal: 'journal/ admin/admin.test.ts findings/findings.test.ts http-client/guarded-client.test.ts',
  liberties: 'liberties/',
  mcp: '',
  oauth: `
    oauth/ interop/ authentication/ web-app/web-app.test.ts api/ admin/sign-in-control.test.ts
    findings/sign-in.test.ts store/forgotten.test.ts`,
  organizations: 'admin/ members/ authentication/ web-app/web-app.test.ts',
  'real-platform': '',
  'run-report': '',
  sandboxes: 'admin/sandboxes.test.ts admin/admin-document.test.ts store/forgotten.test.ts',
  scenarios: 'scenarios/ admin/world.test.ts client/client.test.ts',
  serving: 'http/ api/ admin/ faults/ journal/ courses/ http-client/guarded-client.test.ts',
  store: 'store/ http/ fixtures/round-trip.test.ts faults/real-time.test.ts journal/known-secrets.test.ts scenarios/',
  traces: '',
  'web-app': 'web-app/ oauth/ apps/ admin/sign-in-control.test.ts findings/',
  webhooks: `
    webhooks/ apps/installations.test.ts faults/alterations.test.ts findings/webhooks.test.ts traces/
    api/openapi.test.ts journal/ admin/sandboxes.test.ts store/forgotten.test.ts`,
  world: 'world/ admin/ fixtures/ elements/ faults/ webhooks/ client/ traces/ journal/ liberties/',
})

/** Tests that take long: for mutants of these files that the others do not notice. */
const slowTests = [
  // A fold runs in a thread, and what that reaches is not counted.
  {
    files: /^src\/foundation\/store\/(fold-|snapshot-|read-|seal)/,
    tests: ['test/store/forgotten.test.ts', 'test/store/layout.test.ts'],
  },
  { files: /^src\/foundation\/store\/(history|store)\.ts$/, tests: ['test/store/snapshots.test.ts'] },
  { files: /^src\/foundation\/store\//, tests: ['test/store/store.test.ts', 'test/store/full-disk.test.ts'] },
  {
    files: /^src\/foundation\/store\/(lock|lock-file|owner|journal-file|staging-folder|store-file|store-folder)\.ts$/,
    tests: ['test/store/lock.test.ts', 'test/store/deleted.test.ts', 'test/store/links.test.ts'],
  },
  {
    files: /^src\/platform\/webhooks\//,
    tests: ['test/webhooks/unrecorded-attempts.test.ts', 'test/webhooks/webhook-restarts.test.ts'],
  },
  {
    files: /^src\/control\/coverage\//,
    tests: ['test/coverage/closing.test.ts', 'test/coverage/suites.test.ts', 'test/run-report/report.test.ts'],
  },
  {
    files: /^src\/control\/scenarios\//,
    tests: [
      'test/scenarios/recording.test.ts',
      'test/scenarios/scenario-schema.test.ts',
      'test/scenarios/scenario-command.test.ts',
    ],
  },
  {
    files: /^src\/emulator\/liberties\//,
    tests: ['test/liberties/fragile-apps.test.ts', 'test/liberties/proof.test.ts', 'test/liberties/exec.test.ts'],
  },
  { files: /^src\/programs\/mcp\//, tests: ['test/mcp/'] },
  { files: /^src\/programs\/real-platform\//, tests: ['test/real-platform/'] },
  {
    files: /^src\/control\/run-report\//,
    tests: ['test/run-report/', 'test/client/report-fixtures.test.ts', 'test/cli/report.test.ts'],
  },
  { files: /^src\/control\/traces\//, tests: ['test/traces/'] },
  {
    files: /^src\/emulator\/world\//,
    tests: [
      ...['test/world/determinism.test.ts', 'test/world/worlds.test.ts', 'test/cli/cli-start.test.ts'],
      'test/docs/sections.test.ts',
    ],
  },
  { files: /^src\/platform\/web-app\//, tests: ['test/web-app/pages.test.ts'] },
  { files: /^src\/emulator\/journal\/stream\.ts$/, tests: ['test/console/stream.test.ts'] },
  { files: /^src\/platform\/webhooks\/response-text\.ts$/, tests: ['test/cli/exchange-log.test.ts'] },
]

/** Folders that the copy of the tree does not need, or makes itself. */
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', '.build', '.bench', '.docs', '.mutation', 'coverage'])
/** Real milliseconds. A mutant times out after twice the time of the dry run plus this margin. */
const TIMEOUT_MARGIN = 60_000
const SLOW_LIMIT = 300_000

const { values: flags } = parseArgs({
  options: {
    room: { type: 'string', multiple: true, default: Object.keys(testsOf) },
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: 'mockademy' },
    at: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
})

function stop(message) {
  console.error(message)
  process.exit(1)
}

const size = Number(flags.sample)
if (!Number.isInteger(size) || size < 1) stop(`--sample: ${flags.sample} is not a whole number above 0.`)
const rooms = flags.at ? [...new Set(flags.at.map((place) => place.split('/')[2]))] : flags.room
for (const room of rooms) {
  if (!testsOf[room])
    stop(`--room: ${room} has no tests in scripts/mutation.js. Known: ${Object.keys(testsOf).join(', ')}.`)
}
const absent = [...Object.values(testsOf), ...slowTests.map(({ tests }) => tests)]
  .flat()
  .filter((name) => !existsSync(join(ROOT, name)))
if (absent.length > 0) stop(`scripts/mutation.js names missing tests: ${absent.join(', ')}.`)

mkdirSync(join(ROOT, '.mutation'), { recursive: true })
const copy = mkdtempSync(join(ROOT, '.mutation/'))
let running
process.on('exit', () => {
  running?.end()
  rmSync(copy, { recursive: true, force: true, maxRetries: 3 })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

/**
 * Runs a program in the copy.
 * @returns its exit status, null when it took longer than `limit`; all that it printed; and how long it took.
 */
function run(args, { env = {}, limit = SLOW_LIMIT } = {}) {
  const started = performance.now()
  // In a process group, so that a looping worker is killed too.
  const child = spawn(process.execPath, args, { cwd: copy, env: { ...process.env, ...env }, detached: true })
  const end = () => {
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
  running = { end }
  return new Promise((done, failed) => {
    let output = ''
    let status
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    const timer = setTimeout(() => {
      status = null
      end()
    }, limit)
    child.on('error', failed)
    // Processes that it has left would keep its output open.
    child.on('exit', end)
    child.on('close', (code) => {
      clearTimeout(timer)
      running = undefined
      done({ status: status === null ? null : (code ?? 1), output, took: performance.now() - started })
    })
  })
}

async function must(args, options) {
  const result = await run(args, options)
  if (result.status !== 0)
    stop(`${result.output}\nWithout a mutant, this must succeed: ${relative(copy, args[0])} ${args.slice(1).join(' ')}`)
  return result
}

const vitest = (files, { config = 'vitest.mutation.config.ts', ...options } = {}) => [
  [VITEST, 'run', '--bail', '1', '--config', config, ...files],
  options,
]

const slowTestsOf = ({ file }) => slowTests.filter(({ files }) => files.test(file)).flatMap(({ tests }) => tests)

/**
 * Runs the tests of the room and of the chosen mutants without a mutant: a test that fails anyway kills none.
 * @returns which files reach which mutants, and how long those of the room took.
 */
async function dryRun(room, chosen) {
  const slow = [...new Set(chosen.flatMap(slowTestsOf))]
  if (slow.length > 0) await must(...vitest(slow, { config: 'vitest.config.ts' }))
  const reachedBy = new Map()
  if (testsOf[room].length === 0) return { reachedBy, took: 0 }
  const coverage = join(copy, `coverage-${room}.jsonl`)
  const { took } = await must(...vitest(testsOf[room], { env: { MUTATION_COVERAGE: coverage } }))
  for (const line of readFileSync(coverage, 'utf8').trim().split('\n')) {
    const { file, reached } = JSON.parse(line)
    for (const id of reached) reachedBy.set(id, [...(reachedBy.get(id) ?? []), relative(copy, file)])
  }
  return { reachedBy, took }
}

/**
 * Runs the tests with the mutant: those that reach it, and when they notice nothing, the slow ones.
 * @returns `{ fate: 'killed' | 'timeout' | 'survived', by }`, where `by` is the test that failed, if one did.
 */
async function tryMutant(mutant, { reachedBy, took }) {
  const env = { __STRYKER_ACTIVE_MUTANT__: mutant.id, NO_COLOR: '1' }
  const files = reachedBy.get(mutant.id) ?? []
  const slow = slowTestsOf(mutant)
  const runs = [
    files.length > 0 && vitest(files, { env, limit: 2 * took + TIMEOUT_MARGIN }),
    slow.length > 0 && vitest(slow, { env, config: 'vitest.config.ts' }),
  ]
  for (const args of runs.filter(Boolean)) {
    const { status, output } = await run(...args)
    if (status === null) return { fate: 'timeout' }
    if (status !== 0) return { fate: 'killed', by: /^ *FAIL +(.*?) *$/m.exec(output)?.[1] }
  }
  return { fate: 'survived' }
}

const oneLine = (text) => (text.length > 90 ? `${text.slice(0, 60)} … ${text.slice(-25)}` : text).replace(/\s+/g, ' ')
const describe = ({ file, line, column, mutator, original, replacement }) =>
  `${file}:${line}:${column} ${mutator}: ${oneLine(original)} → ${oneLine(replacement)}`
const percent = ({ score }) => `${(100 * score).toFixed(0)} %`

const { files, mutants } = await instrument(ROOT, rooms)
for (const name of readdirSync(ROOT).filter((name) => !NOT_COPIED.has(name) && !name.startsWith('.build-'))) {
  cpSync(join(ROOT, name), join(copy, name), { recursive: true })
}
for (const { name, content } of files) writeFileSync(join(copy, name), content)
// Tests start apps that find their packages there.
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction')
await must([join(copy, 'scripts/build.js'), '--of-mutants'])

const isMeant = ({ file, line, column }) =>
  [file, `${file}:${line}`, `${file}:${line}:${column}`].some((place) => flags.at?.includes(place))
const report = { seed: flags.seed, sample: size, started_at: new Date().toISOString(), rooms: [] }
for (const room of rooms) {
  const all = mutants.filter((mutant) => mutant.room === room)
  const chosen = flags.at ? all.filter(isMeant) : sample(all, size, flags.seed)
  if (chosen.length === 0)
    stop(`--at: ${flags.at?.join(', ')} has no mutants. A place is src/wing/room/file.ts, with :line or :line:column.`)
  const dry = await dryRun(room, chosen)
  const results = []
  for (const mutant of chosen) {
    const result = { ...mutant, ...(await tryMutant(mutant, dry)), reached: dry.reachedBy.has(mutant.id) }
    results.push(result)
    console.log(`${result.fate.padEnd(8)} ${describe(result)}`)
  }
  const survivors = results.filter(({ fate }) => fate === 'survived')
  const score = 1 - survivors.length / chosen.length
  report.rooms.push({ room, mutants: all.length, tried: chosen.length, score, results })
  if (flags.json) writeFileSync(flags.json, `${JSON.stringify(report, null, 2)}\n`)
}

console.log(`\nseed ${flags.seed}`)
for (const { room, mutants: count, tried, score, results } of report.rooms) {
  const survivors = results.filter(({ fate }) => fate === 'survived')
  console.log(`${room}: ${percent({ score })} (${tried - survivors.length} of ${tried} killed, of ${count} mutants)`)
  for (const survivor of survivors) {
    console.log(
      `  ${describe(survivor)}${survivor.reached || testsOf[room].length === 0 ? '' : ' (no quick test reaches it)'}`,
    )
  }
}
