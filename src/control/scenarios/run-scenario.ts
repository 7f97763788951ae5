import { isIP, type Socket } from 'node:net'
import { forgetPast, goToStart, restoreTo } from '../../emulator/world/reset.js'
import type { ScenarioResult } from '../../emulator/world/scenario-parts.js'
import { START, type World } from '../../emulator/world/world.js'
import { invalid, Refusal } from '../../foundation/http/refusal.js'
import { createGuardedClient } from '../../foundation/http-client/guarded-client.js'
import type { PathIssue } from '../../foundation/schema/issue.js'
import { pauseOrAbort } from '../../foundation/time/real-timers.js'
import { SNAPSHOT_PREFIX } from '../admin/live-runs.js'
import { listSnapshots } from '../admin/world.calls.js'
import { createCaller } from '../client/caller.js'
import { openStream } from '../client/event-stream.js'
import { createHttpClient } from '../client/http-client.js'
import { checkScenario } from './check.js'
import { unknownNameIssues } from './check-names.js'
import { runSteps } from './run-steps.js'
import { pathText, type Scenario } from './scenario.js'
import type { Names } from './steps.js'

/** The state to return to after a scenario. Snapshots have names of another form. */
const BACK = 'before a scenario'
/** Begins the further names of the snapshots that a scenario may take again. */
const KEPT = 'kept from a scenario: '
/** Real milliseconds that the last step of an aborted scenario may take to end before the world is restored. */
const LAST_STEP = 2_000

type OnConnection = (socket: Socket) => void

/** Returns a scenario that has been checked except for names. @throws Refusal 400 with every issue. */
export function checkedScenario(document: unknown, { settings }: Pick<World, 'settings'>): Scenario {
  const { scenario, issues } = checkScenario(document, settings.trust_hosts)
  if (!scenario) throw invalidScenario(issues)
  return scenario
}

/**
 * Runs a scenario from the start or from the current state, and returns to the state before it. control-api: "Scenarios"
 * @throws Refusal 400 for names that the world does not have, before the first step; 503 when the signal aborts.
 */
export async function runScenario(scenario: Scenario, world: World, onConnection: OnConnection, signal: AbortSignal) {
  try {
    if (scenario.from === 'start') return await runFromStart(scenario, world, onConnection, signal)
    checkNames(scenario, world)
    return await run(scenario, world, onConnection, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Refusal('unavailable', {
      reason: 'The scenario was aborted: its client disconnected, or the emulator closed',
    })
  }
}

async function runFromStart(scenario: Scenario, world: World, onConnection: OnConnection, signal: AbortSignal) {
  checkNamesAtStart(scenario, world)
  const before = new Set(world.store.namedStates().map(({ name }) => name))
  const snapshots = [...before].filter((name) => name.startsWith(SNAPSHOT_PREFIX))
  for (const name of snapshots) world.store.aliasState(name, KEPT + name)
  const restoreInboxes = world.inboxes.save()
  world.store.beginTrial(BACK, world.clock.timestamp(null))
  try {
    world.stream.renew('restored', () => goToStart(world))
    forgetPast(world)
    return await run(scenario, world, onConnection, signal)
  } finally {
    restoreTo(world, BACK)
    for (const name of snapshots) world.store.aliasState(KEPT + name, name)
    restoreInboxes()
    for (const { name } of world.store.namedStates()) if (!before.has(name)) world.store.forgetState(name)
  }
}

const invalidScenario = (issues: PathIssue[]) =>
  invalid(issues.map(({ path, message }) => ({ path: pathText(path), message })))

/** @throws Refusal 400 for names that the world does not have now. */
function checkNames(scenario: Scenario, { store }: Pick<World, 'store'>): void {
  const known: Names = {
    app: [...store.apps.all].flatMap(({ id, client_id }) => [id, client_id]),
    organization: [...store.organizations.all].map(({ id }) => id),
    user: [...store.users.all].flatMap(({ id, email }) => [id, email]),
    snapshot: listSnapshots({ store }).map(({ name }) => name),
  }
  const issues = unknownNameIssues(scenario, known)
  if (issues.length > 0) throw invalidScenario(issues)
}

/** Checks the names in the world at start, and rolls back: a refused scenario ends nothing that is under way. */
function checkNamesAtStart(scenario: Scenario, world: Pick<World, 'store' | 'clock'>): void {
  const { store, clock } = world
  store.nameState(BACK, clock.timestamp(null))
  const checked = new Error('The world at start was only read')
  try {
    store.change(() => {
      store.undo(START, BACK)
      checkNames(scenario, world)
      throw checked
    })
  } catch (error) {
    if (error !== checked) throw error
  } finally {
    store.forgetState(BACK)
  }
}

/** Returns the address of this emulator for its own process. It may not listen on 127.0.0.1, which `base_url` names. */
function ownAddress({ settings: { host, https }, addresses }: Pick<World, 'settings' | 'addresses'>): string {
  if (https || isIP(host) === 0 || host === '0.0.0.0' || host === '::') return addresses.base_url
  const url = new URL(addresses.base_url)
  url.hostname = isIP(host) === 6 ? `[${host}]` : host
  return url.origin
}

async function run(
  scenario: Scenario,
  world: Pick<World, 'settings' | 'addresses' | 'store' | 'clock' | 'closing'>,
  onConnection: OnConnection,
  signal: AbortSignal,
): Promise<ScenarioResult> {
  const { settings, closing } = world
  const url = ownAddress(world)
  const token = settings.admin_token
  // An aborted request could still take effect after the world is restored, so it gets time to end.
  const requests = new AbortController()
  const abortLater = async () => {
    await pauseOrAbort(LAST_STEP, closing, { ref: false })
    requests.abort()
  }
  signal.addEventListener('abort', abortLater, { once: true })
  const ca = url.startsWith('https:')
    ? (await import('../../foundation/tls/authority.js')).trustedAuthorities
    : undefined
  try {
    return await runSteps(scenario, {
      world,
      url,
      call: createCaller(url, token, createHttpClient(url, onConnection)),
      client: createGuardedClient({ rules: settings, signal: requests.signal, ca, onConnection }),
      openStream: (signal) => openStream(url, token, { signal }),
      signal,
      abortRequests: requests.signal,
    })
  } finally {
    signal.removeEventListener('abort', abortLater)
  }
}
