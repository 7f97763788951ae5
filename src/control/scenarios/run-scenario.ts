import { isIP } from 'node:net'
import { reportedDuration } from '../../emulator/world/reported-duration.js'
import { forgetPast, restoreTo } from '../../emulator/world/reset.js'
import type { ScenarioResult } from '../../emulator/world/scenario-parts.js'
import { START, type World } from '../../emulator/world/world.js'
import { invalid, Refusal } from '../../foundation/http/refusal.js'
import { createCaller } from '../client/caller.js'
import { readStream } from '../client/event-stream.js'
import { createWire } from '../client/wire.js'
import { checkScenario } from './check.js'
import { type Names, nameIssues } from './check-names.js'
import type { OwnConnections } from './own-connections.js'
import { runSteps } from './run.js'
import { pathText, type Scenario, type ScenarioIssue } from './scenario.js'
import type { Stage } from './stage.js'

/** Where a scenario goes back to. Snapshots are marked under names of another form. */
const BACK = 'before a scenario'

/**
 * Checks a scenario whole, then runs it where it says, and goes back. control-api: "Scenarios"
 * @throws Refusal 400 with every issue, nothing having been changed; 409 while another one runs.
 */
export async function runScenario(
  document: unknown,
  world: World,
  connections: OwnConnections,
  signal: AbortSignal,
): Promise<ScenarioResult> {
  const { scenario, issues } = checkScenario(document, world.settings.trust_hosts)
  if (!scenario) throw refused(issues)
  if (connections.busy) throw new Refusal('conflict', { message: 'Another scenario is running. Wait until it ends' })
  connections.busy = true
  try {
    return await (scenario.from === 'start' ? fromStart : fromHere)(scenario, world, connections, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Refusal('unavailable', {
      reason: 'The scenario was aborted: its client disconnected, or the emulator closed',
    })
  } finally {
    connections.busy = false
  }
}

function fromHere(scenario: Scenario, world: World, connections: OwnConnections, signal: AbortSignal) {
  mustKnowNames(scenario, world)
  return play(scenario, world, connections, signal)
}

async function fromStart(scenario: Scenario, world: World, connections: OwnConnections, signal: AbortSignal) {
  const before = new Set(world.store.marks().map(({ name }) => name))
  world.store.mark(BACK, world.clock.timestamp())
  try {
    restoreTo(world, START)
    mustKnowNames(scenario, world)
    forgetPast(world)
    return await play(scenario, world, connections, signal)
  } finally {
    restoreTo(world, BACK)
    for (const { name } of world.store.marks()) if (!before.has(name)) world.store.forget(name)
  }
}

const refused = (issues: ScenarioIssue[]) =>
  invalid(issues.map(({ path, message }) => ({ path: pathText(path), message })))

/** @throws Refusal 400 for names that the world as it is now does not have. */
function mustKnowNames(scenario: Scenario, { store }: World): void {
  const prefix = 'snapshot:'
  const known: Names = {
    app: [...store.apps.all].flatMap(({ id, client_id }) => [id, client_id]),
    organization: [...store.organizations.all].map(({ id }) => id),
    user: [...store.users.all].flatMap(({ id, email }) => [id, email]),
    snapshot: store.marks().flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
  }
  const issues = nameIssues(scenario, known)
  if (issues.length > 0) throw refused(issues)
}

/** Where this emulator is reached from its own process: it need not listen on 127.0.0.1, which `{base_url}` says. */
function ownAddress({ settings: { host, https }, addresses: { base_url } }: World): string {
  if (https || isIP(host) === 0 || host === '0.0.0.0' || host === '::') return base_url
  const url = new URL(base_url)
  url.hostname = isIP(host) === 6 ? `[${host}]` : host
  return url.origin
}

async function play(scenario: Scenario, world: World, connections: OwnConnections, signal: AbortSignal) {
  const { settings, store } = world
  const url = ownAddress(world)
  const token = settings.admin_token
  const ended = new AbortController()
  const over = AbortSignal.any([signal, ended.signal])
  const ca = url.startsWith('https:')
    ? (await import('../../foundation/tls/authority.js')).trustedAuthorities
    : undefined
  const stage: Stage = {
    url,
    token,
    call: createCaller(url, token, connections.add),
    wire: createWire({ rules: settings, signal: over, ca, onConnection: connections.add }),
    stream: (options, onOpen) => readStream(url, token, options, onOpen),
    apiKeyOf: (organization) => store.organizations.get(organization)?.api_key,
    journalSize: settings.journal_size,
    told: (measured) => reportedDuration(world, measured),
    signal: over,
  }
  try {
    return await runSteps(scenario, stage)
  } finally {
    ended.abort()
  }
}
