import type { CallName, CallResult } from '../../../control/admin/calls.js'
import type { CallParts } from '../../../control/client/caller.js'
import { type Call, callOf } from './call.js'
import { createLoader } from './loader.js'
import { onEvents, onResync } from './stream.js'

const ANY = 'any'

/** The collections of the store whose changes put the result of a call out of date. */
const collectionsOf = {
  world: ['fixture_settings', 'recordings'],
  // Each exchange counts, and what an app's manifest allows.
  getCoverage: ['apps', 'installations', 'sessions', 'requests'],
  // No records: the view reads them from time to time.
  getReport: [],
  // A delivery or an entry that the page does not keep is one of long ago.
  getDelivery: [],
  listRequests: [],
  getState: ['courses', 'modules', 'elements'],
  getLiberties: ['liberties', 'requests'],
  listApps: ['apps'],
  listFaults: ['faults'],
  // Findings are no records: an event of their own says that there is another.
  listFindings: ['findings'],
  listInstallations: ['installations'],
  listOrganizations: ['organizations', 'memberships'],
  listSandboxes: ['sandboxes'],
  listSessions: ['sessions'],
  listSilentAuth: ['silent_auth'],
  // Each change of a record changes how far they are from the present.
  listSnapshots: [ANY],
  listTokens: ['tokens', 'clock'],
  listUsers: ['users', 'memberships'],
  // The view reloads an inbox, too, when the journal has another request to it.
  readInbox: ['inboxes'],
} satisfies Partial<Record<CallName, string[]>>

type ResourceName = keyof typeof collectionsOf
type ListName = { [N in ResourceName]: CallResult<N> extends unknown[] ? N : never }[ResourceName]

/** The shortest time between two reads while records change, in ms. */
const PAUSE = 400

type SharedResource<N extends CallName = CallName> = ReturnType<typeof createResource<N>>

const shared = new Map<string, SharedResource>()

/** Reads the result when a component first uses it, and again on demand, until no component does. */
function createResource<N extends CallName>(call: Call<N>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const reload = () => {
    clearTimeout(timer)
    timer = undefined
    void load()
  }
  const { data, problem, load } = createLoader(call, {
    watched: reload,
    unwatched() {
      clearTimeout(timer)
      shared.delete(call.path)
    },
  })
  const reloadSoon = () => {
    timer ??= setTimeout(reload, PAUSE)
  }
  const collections = new Set<string>()
  return { data, problem, reload, reloadSoon, collections }
}

function reloadThoseOf(changed: string[]): void {
  for (const { collections, reloadSoon } of shared.values()) {
    if (changed.some((each) => collections.has(each))) reloadSoon()
  }
}
onEvents('change', (changes) => reloadThoseOf([ANY, ...changes.map(({ collection }) => collection)]))
onEvents('finding', () => reloadThoseOf(['findings']))
// With `journal_admin` each read is a request, too.
onEvents('request', (entries) => entries.some(({ surface }) => surface !== 'admin') && reloadThoseOf(['requests']))

/** Reads every result again that a component uses: what an action has done shows at once. */
export function reloadAll(): void {
  for (const { reload } of shared.values()) reload()
}
onResync(reloadAll)

/**
 * Reads a GET of the control API, again when a record of its collections changes or the world becomes another.
 * Components that read the same path share one resource.
 * @param more collections on which the parts of the result depend that this component shows.
 */
export function useResource<N extends ResourceName>(name: N, parts: CallParts<N> = {}, more: string[] = []) {
  const call = callOf(name, parts)
  const known = shared.get(call.path) as SharedResource<N> | undefined
  const resource = known ?? createResource(call)
  shared.set(call.path, resource as SharedResource)
  for (const each of [...collectionsOf[name], ...more]) resource.collections.add(each)
  return { data: resource.data.value, problem: resource.problem.value, reload: resource.reload }
}

/** Reads a list; its items are empty until it is ready. */
export function useList<N extends ListName>(name: N, parts?: CallParts<N>, more?: string[]) {
  const { data, problem, reload } = useResource(name, parts, more)
  return { items: data ?? ([] as unknown[] as CallResult<N>), ready: data !== undefined, problem, reload }
}
