import { idTokenEffects } from '../../emulator/faults/effect-names.js'
import type { injectedRefusals } from '../../emulator/serving/injected-refusal.js'
import { type Route, templateOf } from '../../emulator/serving/surface.js'
import { type LibertyName, libertyKinds, libertyNames } from '../../emulator/world/liberty-names.js'
import type { World } from '../../emulator/world/world.js'
import { fillPath, pathParameters } from '../../foundation/http/path-pattern.js'
import { apiSurface } from '../../platform/api/api.surface.js'
import { postInstallRedirect } from '../../platform/apps/installations.js'
import { installScope } from '../../platform/apps/manifest.js'
import { silentOutcomes } from '../../platform/oauth/silent-auth.js'
import { lifecycleEvents } from '../../platform/webhooks/lifecycle-events.js'
import { type Closing, type ClosingStep, shellLine } from './closing.js'
import { UNKNOWN_TYPE } from './meet-webhooks.js'
import { columnOf } from './meter.js'
import { recordsAt, sampleId } from './path-records.js'
import type { Subject } from './subject.js'

export interface Row {
  row: string
  /** The name under which its cells are counted; `row` when left out. */
  countedAs?: string
  /** False for what the app's scopes do not allow: only cells that were met count. */
  isAllowed?: boolean
  /** The ways to meet what can happen to the app, keyed by column. */
  cells: Record<string, Closing>
}

export interface RowsContext {
  world: Pick<World, 'store' | 'addresses'>
  subject: Subject
}

/** The rows of each group, made of the tables of operations, events, outcomes, effects and liberties. coverage: "Coverage" */
export const groups: Record<string, (context: RowsContext) => Row[]> = {
  api: ({ world, subject }) => apiSurface.routes.map((route) => operationRow(world, subject, route)),
  tokens: ({ subject }) => (subject.manifest.oauth?.install ? [refreshRow(subject)] : []),
  webhooks: ({ subject }) => (subject.manifest.webhook ? webhookRows(subject) : []),
  life: ({ subject }) => lifeRows(subject),
  'sign-in': ({ subject }) => (subject.manifest.oauth?.authorize ? signInRows(subject) : []),
  shapes: ({ subject }) => [shapesRow(subject)],
}

const fault = (
  { app }: Subject,
  effect: unknown,
  match: { surface: string; [matcher: string]: unknown },
  more: { phase?: string; times?: number } = {},
): ClosingStep => ({ fault: { match: { ...match, app: app.id }, effect, times: 1, ...more } })

/** Adds a fault that must not meet the steps before the last one. */
const beforeLast = (step: ClosingStep, steps: ClosingStep[]) => steps.toSpliced(-1, 0, step)

function operationRow(world: RowsContext['world'], subject: Subject, route: Route): Row {
  const { methods, path, operation } = route
  const isList = operation.query !== undefined && 'page' in operation.query.shape
  const scopes = installScope(subject.manifest).split(' ')
  const matching = { surface: 'api', method: methods[0], path: path.replace(/:\w+/g, '*') }
  const met = (effect: unknown) => [...subject.ensureInstalled, fault(subject, effect, matching)]
  const refused = (name: keyof typeof injectedRefusals) => met(name)
  const { isMany } = recordsAt(world.store, subject.organization, path)
  return {
    row: `${methods[0]} ${templateOf(path)}`,
    countedAs: operation.id,
    isAllowed: !operation.open && operation.scope != null && scopes.includes(operation.scope),
    cells: {
      ok: requestClosing(world, subject, route),
      ...(isList && { 'all-pages': [...(isMany ? subject : subject.populated).ensureInstalled, smallPages] }),
      expired: refused('token_expired'),
      revoked: refused('token_revoked'),
      forbidden: refused('insufficient_scope'),
      ...(path.includes(':') && { 'not-found': met({ status: 404 }) }),
      'rate-limited': refused('rate_limited'),
      'server-error': refused('unavailable'),
      broken: met({ connection: 'reset' }),
    },
  }
}

/** Returns a request as the app sends it: nothing else makes an app call an operation. */
function requestClosing({ store, addresses }: RowsContext['world'], subject: Subject, route: Route): string {
  const { app } = subject
  const { methods, path, operation } = route
  const { ids } = recordsAt(store, subject.organization, path)
  const isThere = pathParameters(path).every(({ segment }) => ids[segment] !== undefined)
  const { organization, ensureInstalled } = isThere ? subject : subject.populated
  const target = fillPath(path, (segment) => `${isThere ? ids[segment] : sampleId(organization, segment)}`)
  const token = `$(mockademy tokens mint ${app.id} ${organization} | sed -n 's/^access_token *//p')`
  const method = methods[0] === 'GET' ? '' : `-X ${methods[0]} `
  const body = operation.body === undefined ? '' : "-H 'Content-Type: application/json' -d '{}' "
  const before = ensureInstalled.length === 0 ? '' : `${shellLine(ensureInstalled)} && `
  return `${before}curl ${method}${body}-H "Authorization: Bearer ${token}" '${addresses.base_url}${target}'`
}

/** Pages so small that a list has a next one, which the app can follow. */
const smallPages = { fixtures: { settings: { page_size: 1 } } }

const tokenRequest = { surface: 'oauth', path: '/oauth/token', grant_type: 'refresh_token' }

function refreshRow(subject: Subject): Row {
  const { app, organization, ensureInstalled, life } = subject
  const expire = { expire: { app: app.id, organization } }
  const missed = (event: string) => fault(subject, 'drop', { surface: 'webhook', event })
  const lost = fault(subject, { connection: 'reset' }, tokenRequest, { phase: 'after' })
  return {
    row: 'refresh',
    cells: {
      done: [...ensureInstalled, expire],
      'answer-lost': [...ensureInstalled, lost, expire],
      refused: [...ensureInstalled, { revoke: { app: app.id, organization } }],
      raced: [...ensureInstalled, fault(subject, { status: 401, hold: 2 }, { surface: 'api' }, { times: 2 })],
      'platform-down': [...ensureInstalled, fault(subject, 'unavailable', tokenRequest), expire],
      'after-upgrade': beforeLast(missed('app.installed'), life.upgrade),
      'after-uninstall': beforeLast(missed('app.uninstalled'), life.uninstall),
    },
  }
}

function webhookRows(subject: Subject): Row[] {
  const { app, manifest, organization, events, ensureInstalled, life } = subject
  const rows = Object.keys(lifecycleEvents).map((name): Row => {
    const event = name as keyof typeof lifecycleEvents
    const caused = events[event]
    const under = (effect: unknown) => [fault(subject, effect, { surface: 'webhook', event }), ...caused]
    // The event waits for the next one, which is the other.
    const next = event === 'app.installed' ? { uninstall: { app: app.id, organization } } : life.reinstall.at(-1)
    return {
      row: event,
      cells: {
        acknowledged: caused,
        twice: under('duplicate'),
        late: [...under({ delay: '2m' }), { advance: { by: '2m' } }],
        'out-of-order': [...under('reorder'), ...(next ? [next] : [])],
        forged: under('bad_signature'),
        altered: under('altered_body'),
        'failed-first': [...under('lose_ack'), { advance: { by: '1m' } }],
      },
    }
  })
  const unknown = { event: { type: 'example.happened', app: app.id, organization, data: {} } }
  const takesAll = manifest.webhook?.events === undefined
  return [...rows, { row: UNKNOWN_TYPE, isAllowed: takesAll, cells: { acknowledged: [...ensureInstalled, unknown] } }]
}

function lifeRows(subject: Subject): Row[] {
  const { manifest, life } = subject
  return Object.entries(life).map(([row, steps]): Row => {
    const event = row === 'uninstall' ? 'app.uninstalled' : 'app.installed'
    const lost = fault(subject, 'lose_ack', { surface: 'webhook', event })
    const landing = row === 'install' || row === 'reinstall' ? landingOf(subject, steps) : undefined
    return {
      row,
      cells: {
        done: steps,
        ...(landing && { redirected: [...steps, landing] }),
        ...(manifest.webhook && { 'webhook-failed': beforeLast(lost, steps) }),
      },
    }
  })
}

/** Returns a visit to the address to which the browser is sent after the last of these steps. */
function landingOf({ manifest }: Subject, steps: ClosingStep[]): ClosingStep | undefined {
  const url = postInstallRedirect(manifest, String(steps.at(-1)?.install?.organization))
  return url === null ? undefined : { visit: { url } }
}

function signInRows(subject: Subject): Row[] {
  const { app, manifest, user, ensureInstalled, installInAnother } = subject
  const signedIn = [...ensureInstalled, { ambient: { user } }]
  const [callback = ''] = manifest.oauth?.authorize?.redirect_uris ?? []
  const location = `${callback}${callback.includes('?') ? '&' : '?'}code=none&state=wrong`
  const otherState = { status: 302, headers: { location } }
  const named = (table: object, stepFor: (name: string) => ClosingStep) =>
    Object.fromEntries(Object.keys(table).map((name) => [columnOf(name), [stepFor(name)]]))
  const forced = named(silentOutcomes, (outcome) => ({ silent_auth: { outcome, app: app.id, times: 1 } }))
  const signIn = {
    done: signedIn,
    denied: signedIn,
    'other-organization': [...installInAnother, { ambient: { user } }],
    'state-wrong': [fault(subject, otherState, { surface: 'oauth', path: '/oauth/authorize' })],
    'keys-rotated': [{ rotate_keys: {} }],
    'session-ended': 'mockademy sessions end',
  }
  return [
    { row: 'sign-in', cells: signIn },
    { row: 'silent', cells: { done: signedIn, ...forced } },
    { row: 'id_token', cells: named(idTokenEffects, (effect) => fault(subject, effect, { surface: 'id_token' })) },
  ]
}

type Part = 'install' | 'authorize' | 'webhook' | 'post_install_action'

/** Parts of which one is enough to meet a liberty; without an entry: `install` or `authorize`. */
const partsFor: { [name in LibertyName]?: Part[] } = {
  'page-size': ['install'],
  ties: ['install'],
  cursors: ['install'],
  'retry-after': ['install'],
  timestamps: ['install', 'webhook'],
  ids: ['install', 'authorize', 'webhook'],
  'more-fields': ['install', 'authorize', 'webhook'],
  'key-order': ['install', 'authorize', 'webhook'],
  aud: ['authorize'],
  claims: ['authorize'],
  keys: ['authorize'],
  metadata: ['authorize'],
  redirects: ['authorize', 'post_install_action'],
}

/** Settings without which nothing has the form that a liberty varies. */
const settingsFor: { [name in LibertyName]?: object } = { cursors: { page_size: 1 }, 'retry-after': { rate_limit: 1 } }

/** Steps that let an app meet a liberty: a key that it knows keeps its `kid`. */
const stepsFor: { [name in LibertyName]?: Closing } = { keys: [{ rotate_keys: {} }] }

function shapesRow({ manifest }: Subject): Row {
  const parts: Record<string, unknown> = { ...manifest, ...manifest.oauth }
  const canMeet = (name: LibertyName) => (partsFor[name] ?? ['install', 'authorize']).some((part) => parts[part])
  const names = libertyNames.filter((name) => libertyKinds[name] === 'shape' && canMeet(name))
  const closing = (name: LibertyName) => {
    const settings = settingsFor[name]
    const before = settings ? `${shellLine([{ fixtures: { settings } }])} && ` : ''
    const steps = stepsFor[name]
    const after = steps ? ` && ${shellLine(steps)}` : ''
    return `${before}mockademy liberties set 1 --kinds ${name}${after}`
  }
  return { row: 'shapes', cells: Object.fromEntries(names.map((name) => [name, closing(name)])) }
}
