import { setMaxListeners } from 'node:events'
import { stat } from 'node:fs/promises'
import { connect as connectSocket } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '../../control/client/connect.js'
import { createWire, type WireExchange } from '../../control/client/wire.js'
import type { TargetRules } from '../../foundation/http-client/targets.js'
import { checkOptionNames } from '../../foundation/schema/options.js'
import { createAttacker } from './actors/attacker.js'
import { createBrowser, type Places } from './actors/browser.js'
import { createPlatform } from './actors/platform.js'
import { untilAborted } from './actors/until-aborted.js'
import { type AppUnderTest, findAppUnderTest } from './app-under-test.js'
import { AuditFailure } from './audit-failure.js'
import { catalogue } from './catalogue.js'
import type { Severity } from './check.js'
import { type AuditFile, type AuditFileInput, readAuditFile } from './file.js'
import { type AuditReport, type CheckResult, counts, reportOf, resultOf } from './report.js'
import { runChecks } from './run.js'
import type { Scene } from './scene.js'
import { createSecrets } from './secrets.js'
import { missing, select } from './selection.js'
import { borrowWorld } from './world.js'

/** Options of `audit`. */
export interface AuditOptions {
  /** Address of a running emulator. */
  url: string
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
  /** The audit's file: its path or its content. */
  file: AuditFileInput | string
  /** Globs of check ids to run; every check when left out. */
  only?: string[]
  /** Globs of check ids not to run. */
  skip?: string[]
  /** The least severity that makes the audit fail; `medium` when left out. */
  failOn?: Severity
  /** Stops at the first failure; the result of a check that has not run by then is `skip`. */
  bail?: boolean
  /** Ends the run early; the world is restored all the same, and the audit rejects. */
  signal?: AbortSignal
  /** Called with each result as it comes. */
  onResult?: (result: CheckResult) => void
}

const optionNames: Record<keyof AuditOptions, true> = {
  url: true,
  adminToken: true,
  file: true,
  only: true,
  skip: true,
  failOn: true,
  bail: true,
  signal: true,
  onResult: true,
}

/**
 * Audits an app that runs, configured for a running emulator. The world is as it was when this ends, however it ends.
 * audit: "Running it"
 * @throws AuditFailure when it cannot run: emulator or app unreachable, unknown app, bad file, interrupted.
 * @throws InvalidOptionsError for options that do not exist.
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  checkOptionNames(options, Object.keys(optionNames))
  const ids = catalogue.map(({ id }) => id)
  const { file, folder } = await readAuditFile(options.file, ids)
  const checks = select(catalogue, options.only ?? [], options.skip ?? [])
  const admin = connect(options.url, { adminToken: options.adminToken })
  const world = await admin.world().catch((error: Error) => {
    const cause = (error.cause as NodeJS.ErrnoException | undefined)?.code
    throw new AuditFailure(
      `no response from the emulator at ${options.url} (${cause ?? error.message}); is it running?`,
    )
  })
  const app = await findAppUnderTest(admin, file.app)
  await mustListen(app, file)

  const { signal = new AbortController().signal, failOn = 'medium' } = options
  // A check that has outlived its time must not touch the world once it has been given back.
  const closing = new AbortController()
  const ending = AbortSignal.any([signal, closing.signal])
  // Every request under way listens to it.
  setMaxListeners(0, ending)
  const secrets = createSecrets()
  secrets.add(app.signingSecret, 'signing secret')
  const rules = world.settings as unknown as TargetRules
  const exchanges: WireExchange[] = []
  const wire = createWire({
    rules,
    signal: ending,
    seen(exchange) {
      if (!platformOrigins.includes(new URL(exchange.url).origin)) exchanges.push(exchange)
    },
  })
  const platformOrigins = [world.base_url, world.app_url, world.browser_url].map((url) => new URL(url).origin)
  const places: Places = {
    start: file.start ?? '',
    platform: platformOrigins,
    app: addressesOf(app, file).map((address) => new URL(address).origin),
    callbacks: app.callbacks,
  }
  const platform = createPlatform(untilAborted(admin, ending), app, secrets)
  const memory = new Map<string, Promise<unknown>>()
  const scene: Scene = {
    app,
    file,
    folder,
    platform,
    attacker: createAttacker(wire, app, String(world.settings.header_prefix)),
    browser: () => createBrowser(wire, places),
    secrets,
    exchanges,
    issuer: world.app_url,
    logsFrom: await sizesOf(file, folder),
    wait: (ms) => pause(ms, undefined, { signal: ending }),
    once<T>(name: string, find: () => Promise<T>) {
      const found = memory.get(name) ?? find()
      memory.set(name, found)
      return found as Promise<T>
    },
  }

  const results = new Map<string, CheckResult>()
  const giveBack = await borrowWorld(admin)
  try {
    await runChecks(checks, {
      scene,
      signal: ending,
      unfit: (check) => missing(check, app, file),
      onVerdict(check, verdict) {
        const result = resultOf(check, verdict, file.accept[check.id], secrets)
        results.set(check.id, result)
        options.onResult?.(result)
        return options.bail === true && counts(result, failOn)
      },
    })
  } finally {
    closing.abort()
    await giveBack(platform)
  }
  if (signal.aborted) throw new AuditFailure('interrupted; the world has been restored')
  const inOrder = checks.flatMap(({ id }) => results.get(id) ?? [])
  return reportOf(app.id, inOrder, failOn)
}

/** Every address at which the app is known to answer. */
const addressesOf = (app: AppUnderTest, { start, whoami, probe, list }: AuditFile): string[] =>
  [
    app.webhook,
    ...app.callbacks,
    app.manifest.post_install_action?.url,
    start,
    whoami?.url,
    probe?.url,
    list?.url,
  ].filter((address): address is string => Boolean(address))

/** @throws AuditFailure when nothing listens where the app should be. */
async function mustListen(app: AppUnderTest, file: AuditFile): Promise<void> {
  const origins = [...new Set(addressesOf(app, file).map((address) => new URL(address).origin))]
  const listening = await Promise.all(origins.map(isListening))
  if (origins.length === 0) throw new AuditFailure(`app: the manifest of ${app.id} declares no URL to audit`)
  if (listening.some(Boolean)) return
  throw new AuditFailure(`nothing listens at ${origins.join(' or ')}; is the app running?`)
}

const isListening = (origin: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port, protocol } = new URL(origin)
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connectSocket({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)), timeout: 15_000 })
    const end = (listens: boolean) => {
      socket.destroy()
      resolve(listens)
    }
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
    socket.on('timeout', () => end(false))
  })

/** What the log files hold already: only what the run adds is searched. */
async function sizesOf({ logs = [] }: AuditFile, folder: string): Promise<Map<string, number>> {
  const sizes = logs.map(async (log): Promise<[string, number]> => {
    const path = resolve(folder, log)
    return [
      path,
      await stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ]
  })
  return new Map(await Promise.all(sizes))
}
