import { byCreation, Collection, type Entity } from './collection.js'
import type { RecordOf } from './records.js'
import { endedAt } from './retention.js'

/** Siblings in position order. */
const byOrder = (a: Entity & { order: string }, b: Entity & { order: string }) =>
  a.order === b.order ? a.sequence - b.sequence : a.order < b.order ? -1 : 1

/** By the moment a record ended or will end. */
const byEnd =
  <R extends Entity>(end: (record: R) => string | null) =>
  (a: R, b: R) => {
    const [endOfA, endOfB] = [end(a) ?? '', end(b) ?? '']
    return endOfA === endOfB ? byCreation(a, b) : endOfA < endOfB ? -1 : 1
  }

/** `all`, in order of ending: what `retention` trims. */
const ending = <R extends Entity>(end: (record: R) => string | null) => ({
  key: (record: R) => (end(record) === null ? null : 'all'),
  compare: byEnd(end),
})

/** Whether an attempt is still to come. */
export const isOpen = ({ state }: RecordOf<'deliveries'>) => state === 'pending' || state === 'retrying'

/** Every collection with its indexes. Whatever a request looks up is an index here. */
export const createCollections = () => ({
  organizations: new Collection<RecordOf<'organizations'>, 'api_key'>({ api_key: { key: (it) => it.api_key } }),
  users: new Collection<RecordOf<'users'>, 'email'>({ email: { key: (it) => it.email.toLowerCase() } }),
  memberships: new Collection<RecordOf<'memberships'>, 'organization' | 'user'>({
    organization: { key: (it) => it.organization },
    user: { key: (it) => it.user },
  }),
  courses: new Collection<RecordOf<'courses'>, 'organization'>({ organization: { key: (it) => it.organization } }),
  course_members: new Collection<RecordOf<'course_members'>, 'course' | 'user'>({
    course: { key: (it) => it.course },
    user: { key: (it) => it.user },
  }),
  modules: new Collection<RecordOf<'modules'>, 'organization' | 'course' | 'siblings'>({
    organization: { key: (it) => it.organization },
    course: { key: (it) => it.course },
    siblings: { key: (it) => it.course, compare: byOrder },
  }),
  elements: new Collection<RecordOf<'elements'>, 'organization' | 'siblings' | 'course' | 'source' | 'scores'>({
    organization: { key: (it) => it.organization },
    siblings: { key: (it) => it.module, compare: byOrder },
    course: { key: (it) => it.course },
    /** Those whose `source` is an element. */
    source: { key: (it) => (it.properties.source as { id: string } | null | undefined)?.id ?? null },
    /** Those of a course that have score inputs. */
    scores: { key: (it) => (Array.isArray(it.properties.inputs) ? it.course : null) },
  }),
  activities: new Collection<RecordOf<'activities'>, 'organization' | 'element'>({
    organization: { key: (it) => it.organization },
    element: { key: (it) => it.element },
  }),
  apps: new Collection<RecordOf<'apps'>, 'client_id'>({ client_id: { key: (it) => it.client_id } }),
  installations: new Collection<
    RecordOf<'installations'>,
    'app' | 'organization' | 'current' | 'current_version' | 'uninstalling'
  >({
    app: { key: (it) => it.app },
    organization: { key: (it) => it.organization },
    /** `<app>/<organization>`: the one that is installed or uninstalling there. */
    current: {
      key: (it) => (it.state === 'installed' || it.state === 'uninstalling' ? `${it.app}/${it.organization}` : null),
    },
    /** `<app>/<version>`: those of that version that are installed or uninstalling. */
    current_version: {
      key: (it) => (it.state === 'installed' || it.state === 'uninstalling' ? `${it.app}/${it.version}` : null),
    },
    /** `all`: those whose tokens are still to be revoked. */
    uninstalling: { key: (it) => (it.state === 'uninstalling' ? 'all' : null) },
  }),
  tokens: new Collection<RecordOf<'tokens'>, 'secret' | 'installation' | 'code' | 'ending'>({
    secret: { key: (it) => it.secret },
    installation: { key: (it) => it.installation },
    code: { key: (it) => it.code },
    ending: ending(endedAt.tokens),
  }),
  codes: new Collection<RecordOf<'codes'>, 'secret' | 'installation' | 'ending'>({
    secret: { key: (it) => it.secret },
    installation: { key: (it) => it.installation },
    ending: ending(endedAt.codes),
  }),
  sessions: new Collection<RecordOf<'sessions'>, 'secret' | 'user' | 'ambient' | 'ending'>({
    secret: { key: (it) => (it.ambient ? null : it.secret) },
    user: { key: (it) => it.user },
    ambient: { key: (it) => (it.ambient ? 'ambient' : null) },
    ending: ending(endedAt.sessions),
  }),
  deliveries: new Collection<
    RecordOf<'deliveries'>,
    'installation' | 'organization' | 'app' | 'held' | 'open' | 'ending'
  >({
    installation: { key: (it) => it.installation },
    organization: { key: (it) => it.organization },
    app: { key: (it) => it.app },
    /** `<app>/<organization>`: those that wait there until after the next one. */
    held: { key: (it) => (isOpen(it) && it.due_at === null ? `${it.app}/${it.organization}` : null) },
    /** `all`: those with an attempt still to come. */
    open: { key: (it) => (isOpen(it) ? 'all' : null) },
    ending: ending(endedAt.deliveries),
  }),
  keys: new Collection<RecordOf<'keys'>>({}),
  silent_auth: new Collection<RecordOf<'silent_auth'>>({}),
  faults: new Collection<RecordOf<'faults'>>({}),
  clock: new Collection<RecordOf<'clock'>>({}),
  fixture_settings: new Collection<RecordOf<'fixture_settings'>>({}),
})
