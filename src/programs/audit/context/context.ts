import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Admin } from '../../../control/client/admin.js'
import { RUN_HEADER } from '../../../emulator/world/run.js'
import {
  createGuardedClient,
  type GuardedClient,
  type GuardedExchange,
} from '../../../foundation/http-client/guarded-client.js'
import type { TargetRules } from '../../../foundation/http-client/targets.js'
import { type AppUnderTest, originsOf } from '../app/app-under-test.js'
import { createBrowser } from '../app/browser.js'
import { type AuditFile, inOrganization } from '../app/file.js'
import { createSecrets } from '../app/secrets.js'
import { createSessionReader } from '../app/session.js'
import { createPatience } from '../timing/patience.js'
import { poll } from '../timing/polling.js'
import { createAttacker } from './attacker.js'
import { createPlatform } from './platform.js'
import { shortenSilence } from './silence.js'

interface ContextParts {
  run: string
  app: AppUnderTest
  file: AuditFile
  folder: string
  admin: Admin
  world: Awaited<ReturnType<Admin['world']>>
  signal: AbortSignal
}

/**
 * Everything that checks work with. A check creates its own organizations, browsers and faults.
 *
 * - tenant: an organization that a check creates
 * - stranger: a tenant that has never installed the app
 * - person: the owner of a tenant, at a browser
 * - probe: a request to the page of the app that makes it call `/v0` for a tenant
 * - landing: a visited callback, with what it led to
 * - positive twin, control: the same attempt without the attack, which must succeed
 */
export type AuditContext = Awaited<ReturnType<typeof createContext>>

export async function createContext({ run, app, file, folder, admin, world, signal }: ContextParts) {
  const secrets = createSecrets(world.app_url)
  secrets.add(app.clientSecret, 'client secret')
  secrets.add(app.signingSecret, 'signing secret')
  const exchanges: GuardedExchange[] = []
  const patience = createPatience(file.background)
  const platformOrigins = [world.base_url, world.app_url, world.browser_url].map((url) => new URL(url).origin)
  const isPlatform = (url: string) => platformOrigins.includes(new URL(url).origin)
  // The hosts that an app may be called at are those that the platform may call. wire: §7 "who is called"
  const rules: TargetRules = world.settings
  const send = createGuardedClient({
    rules,
    signal,
    onExchange(exchange) {
      if (isPlatform(exchange.url)) return
      exchanges.push(exchange)
      if (exchange.status !== null) patience.onResponse(exchange.duration)
    },
  })
  /** Marks the pages of the platform that a browser requests, some of which name neither organization nor person. */
  const marked: GuardedClient = (sending) =>
    send(isPlatform(sending.url) ? { ...sending, headers: { ...sending.headers, [RUN_HEADER]: run } } : sending)
  const { client, findHang, forgetSilence } = shortenSilence(marked, platformOrigins)
  const { callbacks } = app
  const addresses = { start: file.start ?? '', platform: platformOrigins, app: originsOf(app, file), callbacks }
  /** Creates a browser without cookies. @param slug of the organization whose people sign in at it. */
  const browser = (slug = '') => createBrowser(client, { ...addresses, start: inOrganization(addresses.start, slug) })
  const once = createOnce()
  const sessions = createSessionReader(file, browser, once)
  const wait = (ms: number) => pause(ms, undefined, { signal })
  return {
    run,
    app,
    file,
    rules,
    folder,
    signal,
    pageSize: world.settings.page_size,
    /** Requests of a credential are limited by the setting `rate_limit`. */
    isLimited: world.settings.rate_limit !== undefined,
    platform: createPlatform(run, {
      ...{ admin, app, file, baseUrl: world.base_url },
      ...{ secrets, browser, sessions, once, wait, patience },
    }),
    attacker: createAttacker(client, app, secrets, world.settings.header_prefix),
    /** Origins of app and platform, and what else a browser knows by its address. */
    addresses,
    browser,
    sessions,
    secrets,
    exchanges: exchanges as readonly GuardedExchange[],
    /** The address at which the app reaches the API. */
    baseUrl: world.base_url,
    /** `{app_url}`, the issuer of the id_tokens. */
    issuer: world.app_url,
    /** Real milliseconds since 1970 at which the run began. */
    startedAt: Date.now(),
    /** Bytes that each of `logs` held when the run began. */
    logSizes: await sizesOf(file.logs ?? [], folder),
    wait,
    findHang,
    forgetSilence,
    /** Waits until what the app does after an acknowledgement has had its time. */
    waitForBackground: () => wait(patience.background()),
    patience,
    /** Reads until `isRight` accepts the value or `within` ms have passed. @returns the last value. */
    until: async <T>(read: () => Promise<T>, isRight: (value: T) => boolean, within = patience.background()) =>
      (await poll(read, isRight, { within, wait })).value,
    state: { hasSignedIn: false },
    once,
  }
}

/**
 * Returns a function that does what a run needs only once, by name. What was rejected is done again when it is needed
 * again: a check that is repeated must not meet the failure of its first time. So is what was forgotten.
 */
export function createOnce() {
  const memory = new Map<string, Promise<unknown>>()
  const once = <T>(name: string, find: () => Promise<T>): Promise<T> => {
    const found = memory.get(name) as Promise<T> | undefined
    if (found) return found
    const begun = find()
    memory.set(name, begun)
    // By then it may have been forgotten, and begun again.
    begun.catch(() => memory.get(name) === begun && memory.delete(name))
    return begun
  }
  return Object.assign(once, { forget: (name: string) => void memory.delete(name) })
}

async function sizesOf(logs: string[], folder: string): Promise<Map<string, number>> {
  const paths = logs.map((log) => resolve(folder, log))
  const sizes = await Promise.all(paths.map((path) => stat(path).catch(() => ({ size: 0 }))))
  return new Map(paths.map((path, index) => [path, sizes[index]?.size ?? 0]))
}
