import { worldSettings } from '../settings.js'
import type { World } from '../world.js'
import type { FixtureDocument } from './document.js'
import type { CollectionName, ElementRecord, RecordOf } from './records.js'

/**
 * The whole world as a fixture document, secrets in clear. Loading it gives a world that answers alike.
 * fixtures: "A whole world"
 */
export function exportWorld(world: World): FixtureDocument {
  const { store } = world
  const set = { ...store.fixture_settings.get('settings')?.values, ...world.origin.given }
  const settings = worldSettings(set)
  const { frozen, at, offset } = store.clock.get('clock') as RecordOf<'clock'>
  const { sequence: last, draws } = store.counters()
  return {
    ...(Object.keys(settings).length > 0 && { settings: settings as FixtureDocument['settings'] }),
    users: all(world, 'users'),
    organizations: [...store.organizations.all].map((organization) => exportOrganization(world, organization)),
    apps: [...store.apps.all].map(exportApp),
    // Tokens are listed by themselves, so that loading mints none.
    installations: [...store.installations.all].map((installation) => ({ ...installation, credentials: null })),
    clock: frozen ? { frozen, now: at ?? undefined } : { frozen, offset },
    keys: all(world, 'keys'),
    tokens: all(world, 'tokens'),
    codes: all(world, 'codes'),
    sessions: all(world, 'sessions'),
    deliveries: all(world, 'deliveries'),
    silent_auth: all(world, 'silent_auth'),
    faults: all(world, 'faults'),
    sequence: { last, draws },
  }
}

const all = <C extends CollectionName>(world: World, collection: C) => [...world.store[collection].all] as RecordOf<C>[]

function exportApp({ client_id, client_secret, signing_secret, versions, created_at, sequence }: RecordOf<'apps'>) {
  const manifests = versions.map(({ manifest }) => manifest)
  const pushed_at = versions.map((version) => version.pushed_at)
  return { client_id, client_secret, signing_secret, versions: manifests, pushed_at, created_at, sequence }
}

function exportOrganization(world: World, organization: RecordOf<'organizations'>) {
  const { id: slug, name, api_key, created_at, sequence } = organization
  const members = [...world.store.memberships.in('organization', slug)].map(
    ({ id: _, organization: __, ...membership }) => membership,
  )
  const courses = [...world.store.courses.in('organization', slug)].map((course) => exportCourse(world, course))
  return { slug, name, api_key, members, courses, created_at, sequence }
}

function exportCourse(world: World, { organization: _, ...course }: RecordOf<'courses'>) {
  const members = [...world.store.course_members.in('course', course.id)].map(
    ({ id: _, organization: __, course: ___, ...member }) => member,
  )
  const modules = [...world.store.modules.in('siblings', course.id)].map((module) => exportModule(world, module))
  return { ...course, members, modules }
}

function exportModule(world: World, { organization: _, course: __, order: ___, ...module }: RecordOf<'modules'>) {
  const elements = [...world.store.elements.in('siblings', module.id)].map((element) => exportElement(world, element))
  return { ...module, elements }
}

function exportElement(world: World, element: ElementRecord) {
  const { organization: _, course: __, module: ___, order: ____, ...fields } = element
  const activities = [...world.store.activities.in('element', element.id)].map(exportActivity)
  return { ...fields, activities }
}

function exportActivity(activity: RecordOf<'activities'>) {
  const { organization: _, element: __, member, members, ...fields } = activity
  return { ...fields, ...(member === null ? { members: members ?? [] } : { member }) }
}
