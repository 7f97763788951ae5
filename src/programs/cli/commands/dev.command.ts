import { once } from 'node:events'
import { existsSync, unwatchFile, watchFile } from 'node:fs'
import { createCaller } from '../../../control/client/caller.js'
import { openStream } from '../../../control/client/event-stream.js'
import type { Running } from '../../../control/start/launch.js'
import { startWorlds } from '../../../control/start/start-worlds.js'
import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import { visible } from '../../reports/visible.js'
import {
  type Arguments,
  type Command,
  CommandFailure,
  durationFrom,
  failure,
  flag,
  textFrom,
  wrongUse,
} from '../command/command.js'
import { failureOf } from '../command/command-failure.js'
import { type AppProcess, startProcess } from '../dev/app-process.js'
import { type AppSource, findAppSource, SEARCHED } from '../dev/app-source.js'
import { printEvents } from '../dev/exchange-log.js'
import { listenToKeys } from '../dev/keys.js'
import { waitForApp, warnOfAnother } from '../dev/readiness.js'
import { createSession, type Session } from '../dev/session.js'
import { addressOf, controlFlags, reachOf } from '../flags/address.js'
import { closeInTime, configFrom, startFlags, startOptions } from '../flags/emulator-options.js'
import { settingFlags } from '../flags/setting-flags.js'
import { APP, fixturesOf } from '../init/fixtures.js'
import { openConsole } from '../processes/browser.js'
import { childEnvironment } from '../processes/child-process.js'
import { writePidFile } from '../processes/run-file.js'
import { abortOnStop, INTERRUPTED } from '../processes/stop-signal.js'
import { isInteractive } from '../terminal/interactive.js'

const { worlds: _, ...ownFlags } = startFlags
const { 'admin-token': __, ...settings } = settingFlags
const { 'admin-token': adminToken } = controlFlags

/** Real milliseconds between two looks at the manifest's file. */
const MANIFEST_POLL_INTERVAL = 200

/** `mockademy dev -- COMMAND`: the emulator beside an app that is being written. dev: "`mockademy dev`" */
export const devCommand: Command = {
  flags: {
    manifest: flag.text("File with the app's manifest", {
      defaultDescription: 'the app of the fixtures, else mockademy.manifest.json or manifest.json',
    }),
    organization: flag.text('Slug of the organization in which to install the app; none: do not install it', {
      defaultDescription: 'the first',
    }),
    ready: flag.text('Time to wait for the app before a warning', { default: '30s' }),
    keep: flag.switch('Keep running after the command ends'),
    ...ownFlags,
    url: {
      ...controlFlags.url,
      describe: 'Join the emulator at this address instead of starting one',
      defaultDescription: 'start one',
      conflicts: ['fresh', 'resume', ...Object.keys(settings)],
    },
    'admin-token': { ...adminToken, describe: 'Admin token of the emulator that is started or joined' },
  },
  example: '-- node app.js',

  async run(args) {
    const command = (args['--'] ?? []) as string[]
    if (command[0] === '') throw wrongUse('the command after -- is empty, as in: mockademy dev -- node app.js')
    const ready = durationFrom(args, 'ready') as number
    const source = (await findAppSource(args)) ?? (await setUpProject(args))
    // A second signal, which some runners send, must not end this process before the app: its end takes a bounded time.
    const stopping = abortOnStop({ hasToFinish: true })
    const emulator = await openEmulator(args, source)
    try {
      return await develop(emulator, source, { args, command, ready, stopping })
    } finally {
      await emulator.close()
    }
  },
}

/** Offers `init` on a terminal. @throws CommandFailure 2 when there is still no app. */
async function setUpProject(args: Arguments): Promise<AppSource> {
  const { step } = fixturesOf(await configFrom(args))
  const missing = (remedy: string) => wrongUse(`dev found no app here; it looked for ${SEARCHED}. ${remedy}`)
  const unnamed = missing(`To use ${APP}, ${step}`)
  // A second `init` would keep everything.
  if (step && existsSync(APP)) throw unnamed
  const none = missing(`\`mockademy init\` writes one${step ? `; then ${step}` : ''}`)
  if (!isInteractive()) throw none
  const { confirm, isCancel } = await import('@clack/prompts')
  process.stdout.write(`There is no app here yet; dev looked for ${SEARCHED}.\n`)
  const wanted = await confirm({ message: 'Set this folder up with mockademy init?' })
  if (wanted === false) throw none
  const status = isCancel(wanted) ? INTERRUPTED : await (await import('./init.command.js')).initCommand.run({})
  if (status !== 0) throw new CommandFailure(status, 'dev was not started')
  const source = await findAppSource(args)
  if (source) return source
  throw step ? unnamed : none
}

/** The emulator that `dev` works with. One that it has joined keeps its start, and goes on afterwards. */
type OpenEmulator = Awaited<ReturnType<typeof openEmulator>>

/** Starts an emulator as `start` does, or joins that of `--url`. */
async function openEmulator(args: Arguments, { id }: AppSource) {
  if (args.url !== undefined) {
    const { url, token } = await addressOf(args)
    return { url, token, reach: await reachOf(url), notes: [], saveStart: () => {}, close: async () => {} }
  }
  const options = await startOptions(args)
  const starting = startWorlds({ ...options, pushes: id, explicitSettings: { ...options.explicitSettings, worlds: 1 } })
  const running = (await starting)[0] as Running
  process.once('exit', writePidFile([running]))
  const { url, notes, world, saveStart } = running
  const token = world.settings.admin_token
  return { url, token, reach: await reachOf(url), notes, saveStart, close: () => closeInTime(starting) }
}

interface Development {
  args: Arguments
  command: string[]
  ready: number
  stopping: AbortController
}

/** Runs the app beside the emulator until one of them or the person ends it. @returns the exit status. */
async function develop(emulator: OpenEmulator, source: AppSource, development: Development): Promise<number> {
  const { args, command, ready, stopping } = development
  const { url, token } = emulator
  const { signal } = stopping
  const hasKeys = isInteractive()
  const marks = process.stdout.isTTY && command.length > 0
  const print = (line: string) => void process.stdout.write(`${marks ? 'dev | ' : ''}${visible(line)}\n`)
  const organization = textFrom(args, 'organization')
  const call = createCaller(url, token)
  const session = await createSession({
    ...{ url, call, source, reach: emulator.reach, hasKeys, print },
    organization: organization === 'none' ? undefined : organization,
  })
  print(`Mockademy is ready at ${url} (console: ${url}/_console${hasKeys ? '; ? shows the keys, q ends it' : ''})`)
  for (const note of emulator.notes) print(`note: ${note}`)
  const report = (error: unknown) => {
    if (!signal.aborted) for (const line of failureOf(error).message.split('\n')) print(line)
  }
  let registered = Promise.resolve()
  const registerAgain = () => {
    registered = registered.then(session.register).catch(report)
    return registered
  }
  // Before the file is read, so that nothing that is saved from then on is missed.
  watchFile(source.file, { interval: MANIFEST_POLL_INTERVAL, persistent: false }, registerAgain)
  const first = session.register()
  registered = first.catch(() => {})
  await first
  emulator.saveStart()
  if (args.open) await openConsole(url).catch(report)
  const attempts = new Map((await call('listDeliveries')).map((delivery) => [delivery.id, delivery.attempts.length]))
  const events = await openStream(url, token, { signal })
  const following = printEvents(events, { print, attempts, onWorld: registerAgain })

  const variables = await session.environment()
  if (command.length === 0) {
    for (const [name, value] of Object.entries(variables)) print(`export ${name}=${shellQuoted(value)}`)
  }
  const environment = childEnvironment(variables)
  const processes: AppProcess[] = []
  const run = (words: string[], mark: string, env = environment) => {
    const started = startProcess(words, env, marks ? mark : undefined)
    processes.push(started)
    return started
  }
  if (command.length > 0) await warnOfAnother(session)
  const app = command.length > 0 && !signal.aborted ? run(command, 'app | ') : undefined

  const audit = () => {
    const words = [process.execPath, process.argv[1] as string, 'audit', '--url', url]
    const env = token === undefined ? environment : { ...environment, MOCKADEMY_ADMIN_TOKEN: token }
    run(words, 'audit | ', env).ended.catch(report)
  }
  const board = { ...session, register: registerAgain, audit, report, quit: () => stopping.abort() }
  const releaseKeys = hasKeys ? listenToKeys(board) : () => {}
  try {
    if (organization !== 'none') void bringUp(session, ready, signal).catch(report)
    return await endOf(app, following, session, development)
  } finally {
    stopping.abort()
    releaseKeys()
    unwatchFile(source.file, registerAgain)
    await Promise.all(processes.map((each) => each.end()))
  }
}

/** Waits for the app, then installs it, or says that it is installed but has not heard of it. dev: point 4 */
async function bringUp(session: Session, ready: number, signal: AbortSignal): Promise<void> {
  if (!(await waitForApp(session, ready, signal))) return
  const installed = await session.installation()
  if (!installed) return session.install()
  const { id, organization, hasKeys, call, print, reach } = session
  print(
    `installed ${id} in ${organization}: already${hasKeys ? ' (w sends its last webhook again, i uninstalls it)' : ''}`,
  )
  const query = { installation: installed.id, event: 'app.installed' }
  const last = (await call('listDeliveries', { query })).at(-1)
  if (last && last.state !== 'acknowledged') {
    print(
      `not acknowledged: app.installed in ${organization}: mockademy deliveries redeliver ${last.id}${reach} sends it again`,
    )
  }
}

/**
 * Resolves with the exit status when the command has ended or the person ends it.
 * @param following resolves when the emulator sends no more events.
 * @throws CommandFailure 1 when the emulator is gone.
 */
function endOf(
  app: AppProcess | undefined,
  following: Promise<void>,
  { print, url }: Session,
  { args, command, stopping: { signal } }: Development,
): Promise<number> {
  const stopped = (signal.aborted ? Promise.resolve() : once(signal, 'abort')).then(() => 0)
  const gone = following.then(() => {
    throw failure(`the emulator at ${url} has stopped`)
  })
  const ended = app?.ended.then((status) => {
    if (!signal.aborted) print(`${command.join(' ')} ended with status ${status}`)
    return args.keep ? stopped : status
  })
  return Promise.race([stopped, gone, ...(ended ? [ended] : [])])
}
