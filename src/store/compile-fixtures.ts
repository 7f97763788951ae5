import { generateNKeysBetween } from 'fractional-indexing'
import * as z from 'zod'
import { findApp, type Manifest, manifestOf, manifestSchema, manifestScopes } from '../apps/manifest.js'
import { type ElementDraft, faultsOfReferences, readElement } from '../elements/element-document.js'
import { mintPair } from '../oauth/tokens.js'
import { type Detail, invalid, Refusal } from '../refusal.js'
import { detailsOf } from '../request.js'
import type { GivenSettings } from '../settings.js'
import type { World } from '../world.js'
import { fixtureDocument, type ReadDocument } from './document.js'
import type { CollectionName, RecordOf, Role } from './records.js'
import type { Transaction } from './store.js'

/** A document and, for messages, the file that it came from. */
export interface FixtureSource {
  file?: string
  document: unknown
}

export interface LoadedFixtures {
  /** Names and ids of what is new, by kind. */
  created: Record<string, string[]>
  /** Ids of installations that ask for their webhook. */
  announce: string[]
}

type Path = (string | number)[]

/** Where something stands in the documents. */
interface Place {
  source: FixtureSource
  path: Path
}

type Generated = 'sequence' | 'created_at'
type Draft<C extends CollectionName> = Omit<RecordOf<C>, Generated> & { [G in Generated]?: RecordOf<C>[G] | undefined }
type Installation = ReadDocument['installations'][number]

/**
 * Adds fixture documents to the world, all or nothing, as part of a change. fixtures: all of it
 * @param keepSequences take the documents' sequence numbers as they are: the world is empty and the document whole.
 * @throws Refusal `invalid` with every fault of shape, rule or reference, its file in front of the path;
 *   `conflict` when all is sound but something of the same slug, email or id is in the world already.
 */
export function loadFixtures(
  world: World,
  tx: Transaction,
  sources: FixtureSource[],
  { keepSequences = false } = {},
): LoadedFixtures {
  const { store, random } = world
  const now = world.clock.now()
  const faults: Detail[] = []
  const clashes: Detail[] = []
  const created: Record<string, string[]> = {}
  const taken = new Map<string, Place>()
  const drafts: { collection: CollectionName; draft: Draft<CollectionName>; place: Place }[] = []
  const elements: { draft: ElementDraft; place: Place }[] = []

  const at = (place: Place, ...more: Path): Place => ({ source: place.source, path: [...place.path, ...more] })
  const fault = ({ source, path }: Place, message: string) =>
    faults.push({ path: [...(source.file ? [`${source.file}:`] : []), path.join('.')].join(' '), message })

  /** Notes a name or id that must be unique, in the documents and in the world. */
  const claim = (what: string, name: string, place: Place, exists: boolean) => {
    const key = `${what} ${name}`
    const other = taken.get(key)
    if (other) {
      const where = `${other.source.file ? `${other.source.file}: ` : ''}${other.path.join('.')}`
      fault(place, `the ${what} "${name}" is given twice; it is also at ${where}`)
    } else if (exists) clashes.push({ path: place.path.join('.'), message: `the ${what} "${name}" exists already` })
    else taken.set(key, place)
  }

  const draft = <C extends CollectionName>(collection: C, record: Draft<C>, place: Place, id = record.id) => {
    claim(
      `id among ${collection.replaceAll('_', ' ')}`,
      record.id,
      at(place, 'id'),
      store[collection].get(record.id) !== undefined,
    )
    drafts.push({ collection, draft: record as Draft<CollectionName>, place })
    created[collection] ??= []
    created[collection].push(id)
  }

  const documents = sources.flatMap((source) => {
    const document = readShape(source.document, (path, message) => fault({ source, path }, message))
    return document ? [{ source, document, place: { source, path: [] } as Place }] : []
  })
  const counters = keepSequences ? documents[0]?.document.sequence : undefined
  if (counters) store.setCounters({ ...store.counters(), draws: counters.draws })
  const each = <T>(list: (document: ReadDocument) => T[], key: string, visit: (item: T, place: Place) => void) => {
    for (const { document, place } of documents) {
      for (const [index, item] of list(document).entries()) visit(item, at(place, key, index))
    }
  }

  const usersByEmail = new Map<string, string>()
  const userIds = new Set<string>()
  const findUser = (reference: string, place: Place): string => {
    const email = reference.toLowerCase()
    const found =
      usersByEmail.get(email) ??
      (userIds.has(reference) ? reference : undefined) ??
      store.users.by('email', email)?.id ??
      store.users.get(reference)?.id
    if (!found) fault(place, `there is no user "${reference}"`)
    return found ?? ''
  }
  const slugs = new Set<string>()
  const memberOf = (
    organization: string,
    user: string,
    role: Role,
    place: Place,
    more: Partial<Draft<'memberships'>>,
  ) => draft('memberships', { id: `${organization}/${user}`, organization, user, role, ...more }, place)

  each(
    ({ users }) => users,
    'users',
    (user, place) => {
      const { organizations: _, ...fields } = user
      const id = user.id ?? random.id()
      if (!z.email().safeParse(user.email).success) fault(at(place, 'email'), 'must be an email address')
      claim(
        'email',
        user.email.toLowerCase(),
        at(place, 'email'),
        store.users.by('email', user.email.toLowerCase()) !== undefined,
      )
      usersByEmail.set(user.email.toLowerCase(), id)
      userIds.add(id)
      const full_name = user.full_name ?? `${user.first_name} ${user.last_name}`.trim()
      draft(
        'users',
        { ...fields, id, full_name, avatar: user.avatar ?? null, last_seen: user.last_seen ?? null },
        place,
      )
    },
  )

  each(
    ({ organizations }) => organizations,
    'organizations',
    (organization, place) => {
      const {
        slug,
        name = slug,
        api_key = random.secret('key_'),
        members,
        courses,
        created_at,
        sequence,
      } = organization
      slugs.add(slug)
      if (api_key !== null) {
        claim('API key', api_key, at(place, 'api_key'), store.organizations.by('api_key', api_key) !== undefined)
      }
      draft('organizations', { id: slug, name, api_key, created_at, sequence }, place)
      for (const [index, { user, role, ...more }] of members.entries()) {
        const where = at(place, 'members', index)
        memberOf(slug, findUser(user, at(where, 'user')), role, where, more)
      }
      for (const [index, course] of courses.entries()) draftCourse(slug, course, at(place, 'courses', index))
    },
  )

  function draftCourse(
    organization: string,
    given: ReadDocument['organizations'][number]['courses'][number],
    place: Place,
  ) {
    const { members, modules, ...fields } = given
    const course = given.id ?? random.id()
    const unset = {
      cover: null,
      start_date: null,
      end_date: null,
      currency: null,
      price: null,
      free_label: null,
      url: null,
      public_url: null,
      join_url: null,
    }
    draft('courses', { ...unset, ...fields, id: course, organization }, place)
    for (const [index, member] of members.entries()) {
      const where = at(place, 'members', index)
      const {
        user: reference,
        joined_at,
        custom_fields,
        ...more
      } = typeof member === 'string' ? { user: member, joined_at: undefined, custom_fields: {} } : member
      const user = findUser(reference, typeof member === 'string' ? where : at(where, 'user'))
      const joined = joined_at ?? new Date(now).toISOString()
      draft(
        'course_members',
        { id: `${course}/${user}`, organization, course, user, joined_at: joined, custom_fields, ...more },
        where,
      )
    }
    const orders = generateNKeysBetween(null, null, modules.length)
    for (const [index, { elements: children, ...fields }] of modules.entries()) {
      const where = at(place, 'modules', index)
      const module = fields.id ?? random.id()
      draft('modules', { ...fields, id: module, organization, course, order: orders[index] as string }, where)
      const childOrders = generateNKeysBetween(null, null, children.length)
      for (const [position, child] of children.entries()) {
        const parent = { organization, course, module, order: childOrders[position] as string }
        draftElement(parent, child, position, at(where, 'elements', position))
      }
    }
  }

  function draftElement(
    parent: Pick<RecordOf<'elements'>, 'organization' | 'course' | 'module' | 'order'>,
    given: ReadDocument['organizations'][number]['courses'][number]['modules'][number]['elements'][number],
    position: number,
    place: Place,
  ) {
    if (given.module !== undefined && given.module !== parent.module)
      fault(at(place, 'module'), `is not the module that holds it; leave it out`)
    if (given.position !== undefined && given.position !== position)
      fault(at(place, 'position'), `is not its place in the array (${position}); leave it out`)
    const { fields, sent, details } = readElement(world, given)
    for (const { path, message } of details) fault(at(place, ...path.split('.')), message)
    const id = given.id ?? random.id()
    const { created_at, updated_at, sequence, cover = null, type } = given
    const record = { ...fields, ...parent, id, type, cover, created_at, sequence }
    draft('elements', { ...record, updated_at: updated_at ?? '' }, place)
    elements.push({ draft: { ...record, sent }, place })
    for (const [index, activity] of given.activities.entries()) {
      draftActivity(record, activity, at(place, 'activities', index))
    }
  }

  function draftActivity(
    element: Pick<RecordOf<'elements'>, 'id' | 'organization' | 'properties'>,
    given: ReadDocument['organizations'][number]['courses'][number]['modules'][number]['elements'][number]['activities'][number],
    place: Place,
  ) {
    const member = given.member === undefined ? null : findUser(given.member, at(place, 'member'))
    const members = given.members?.map((user, index) => findUser(user, at(place, 'members', index))) ?? null
    const completed_by =
      given.completed_by == null
        ? (member ?? members?.[0] ?? null)
        : findUser(given.completed_by, at(place, 'completed_by'))
    const questions = element.properties.questions
    const known = new Set(Array.isArray(questions) ? questions.map(({ id }) => id) : [])
    for (const [index, { question }] of given.responses.entries()) {
      if (question !== null && !known.has(question)) {
        fault(at(place, 'responses', index, 'question'), `the element has no question "${question}"`)
      }
    }
    const { created_at, sequence, status, passed, score, responses } = given
    draft(
      'activities',
      {
        id: given.id ?? random.id(),
        organization: element.organization,
        element: element.id,
        status,
        passed,
        score,
        timestamp: given.timestamp ?? given.created_at ?? '',
        completed_by: given.completed_by === null ? null : completed_by,
        member,
        members,
        responses,
        created_at,
        sequence,
      },
      place,
    )
  }

  each(
    ({ users }) => users,
    'users',
    ({ email, organizations = [] }, place) => {
      for (const [index, { slug, role }] of organizations.entries()) {
        const where = at(place, 'organizations', index)
        if (!slugs.has(slug) && !store.organizations.get(slug))
          fault(at(where, 'slug'), `there is no organization "${slug}"`)
        else memberOf(slug, usersByEmail.get(email.toLowerCase()) as string, role, where, {})
      }
    },
  )

  // The documents' own settings are not in force yet.
  const trusted = documents.findLast(({ document }) => document.settings?.trust_hosts)?.document.settings?.trust_hosts
  const manifests = manifestSchema(world.origin.given.trust_hosts ?? trusted ?? world.settings.trust_hosts)
  const appVersions = new Map<string, { id: string; manifests: Map<string, Manifest>; newest: Manifest }>()
  each(
    ({ apps }) => apps,
    'apps',
    (app, place) => {
      const given = app.versions ?? [app.manifest]
      const read = given.map((manifest, index) => {
        const result = manifests.safeParse(manifest)
        const path = app.versions ? ['versions', index] : ['manifest']
        if (!result.success)
          for (const { path: more, message } of detailsOf(result.error))
            fault(at(place, ...path, ...more.split('.').filter(Boolean)), message)
        return result.data
      })
      const sound = read.filter((manifest) => manifest !== undefined)
      const [first] = sound
      if (!first || sound.length < read.length) return
      for (const [index, { id, version }] of sound.entries()) {
        if (id !== first.id) fault(at(place, 'versions', index, 'id'), `must be "${first.id}" as in the first version`)
        if (sound.findIndex((other) => other.version === version) !== index)
          fault(at(place, 'versions', index, 'version'), 'is given twice')
      }
      const {
        client_id = `app_${random.id()}`,
        client_secret = random.secret('cs_'),
        signing_secret = random.secret('ss_'),
      } = app
      claim('client_id', client_id, at(place, 'client_id'), store.apps.by('client_id', client_id) !== undefined)
      const versions = sound.map((manifest, index) => ({
        version: manifest.version,
        manifest,
        pushed_at: app.pushed_at?.[index] ?? new Date(now).toISOString(),
      }))
      const { created_at, sequence } = app
      draft('apps', { id: first.id, client_id, client_secret, signing_secret, versions, created_at, sequence }, place)
      const entry = {
        id: first.id,
        manifests: new Map(sound.map((manifest) => [manifest.version, manifest])),
        newest: sound.at(-1) as Manifest,
      }
      appVersions.set(first.id, entry)
      appVersions.set(client_id, entry)
    },
  )

  const owners = new Map<string, string>()
  for (const { collection, draft } of drafts) {
    const membership = draft as Draft<'memberships'>
    if (collection === 'memberships' && membership.role === 'owner' && !owners.has(membership.organization)) {
      owners.set(membership.organization, membership.user)
    }
  }

  const appOf = (reference: string) => {
    const entry = appVersions.get(reference)
    if (entry) return entry
    const app = findApp(world, reference)
    if (!app) return undefined
    const known = new Map(app.versions.map(({ version }) => [version, manifestOf(app, version) as Manifest]))
    return { id: app.id, manifests: known, newest: [...known.values()].at(-1) as Manifest }
  }

  const installations: { given: Installation; record: Draft<'installations'>; place: Place }[] = []
  const announce: string[] = []
  each(
    ({ installations }) => installations,
    'installations',
    (given, place) => {
      const app = appOf(given.app)
      if (!app) fault(at(place, 'app'), `there is no app "${given.app}"`)
      const { organization } = given
      if (!slugs.has(organization) && !store.organizations.get(organization)) {
        fault(at(place, 'organization'), `there is no organization "${organization}"`)
      }
      const version = given.version ?? app?.newest.version ?? ''
      const manifest = app?.manifests.get(version)
      if (app && !manifest && given.state === 'installed') {
        fault(
          at(place, 'version'),
          `the app has no version "${version}"; it has: ${[...app.manifests.keys()].join(', ')}`,
        )
      }
      if (app && (given.state === 'installed' || given.state === 'uninstalling')) {
        const exists = store.installations.by('current', `${app.id}/${organization}`) !== undefined
        claim('installation', `${app.id} in ${organization}`, place, exists)
      }
      const scope = given.scope ?? (manifest?.oauth?.install ? manifestScopes(manifest, 'install').join(' ') : '')
      const record: Draft<'installations'> = {
        id: given.id ?? random.id(),
        app: app?.id ?? '',
        organization,
        version,
        installer: given.installer
          ? findUser(given.installer, at(place, 'installer'))
          : (owners.get(organization) ?? null),
        state: given.state,
        scope,
        installed_at: given.installed_at ?? given.created_at ?? new Date(now).toISOString(),
        ended_at: given.ended_at ?? null,
        created_at: given.created_at,
        sequence: given.sequence,
      }
      draft('installations', record, place)
      if (given.announce && given.state === 'installed') announce.push(record.id)
      for (const [name, secret] of Object.entries(given.credentials ?? {})) {
        claim('token', secret, at(place, 'credentials', name), store.tokens.by('secret', secret) !== undefined)
      }
      if (manifest?.oauth?.install && given.credentials !== null && given.state === 'installed') {
        installations.push({ given, record, place })
      }
    },
  )

  const flat = ['keys', 'tokens', 'codes', 'sessions', 'deliveries', 'silent_auth', 'faults'] as const
  for (const collection of flat) {
    each(
      (document) => document[collection] as Draft<typeof collection>[],
      collection,
      (record, place) => draft(collection, record as never, place),
    )
  }

  const missing = drafts.filter(({ draft }) => draft.created_at === undefined).length
  let generatedAt = now - missing
  const sequences = new Set<number>()
  if (keepSequences) {
    const highest = drafts.reduce((high, { draft }) => Math.max(high, draft.sequence ?? 0), counters?.last ?? 0)
    store.setCounters({ ...store.counters(), sequence: highest })
  }
  for (const { collection, draft, place } of drafts) {
    const created_at = draft.created_at ?? new Date(++generatedAt).toISOString()
    const given = keepSequences ? draft.sequence : undefined
    if (given !== undefined && sequences.has(given)) fault(at(place, 'sequence'), 'is given twice')
    const sequence = given ?? tx.next()
    sequences.add(sequence)
    const dated = { ...draft, created_at, sequence }
    if ('updated_at' in dated && dated.updated_at === '') dated.updated_at = created_at
    if ('timestamp' in dated && dated.timestamp === '') dated.timestamp = created_at
    tx.put(collection, dated as RecordOf<typeof collection>)
  }

  for (const { draft, place } of elements) {
    for (const { path, message } of faultsOfReferences(world, draft)) fault(at(place, ...path.split('.')), message)
  }

  if (faults.length > 0) throw invalid(faults, 'The fixture document is not valid')
  if (clashes.length > 0)
    throw new Refusal('conflict', { message: 'The world has some of this already', details: clashes })

  for (const { given, record } of installations) {
    mintPair(world, tx, {
      installation: record,
      grant: 'install',
      scope: record.scope,
      secrets: given.credentials ?? {},
    })
  }
  for (const { document } of documents) {
    if (document.settings) setFixtureSettings(world, tx, document.settings as GivenSettings)
    if (document.clock) setClock(tx, document.clock)
  }
  delete created.memberships
  delete created.course_members
  return { created, announce }
}

function setFixtureSettings(world: World, tx: Transaction, values: GivenSettings): void {
  const record = world.store.fixture_settings.get('settings') ?? {
    id: 'settings',
    sequence: tx.next(),
    created_at: world.clock.timestamp(),
    values: {},
  }
  tx.put('fixture_settings', { ...record, values: { ...record.values, ...values } })
}

function setClock(tx: Transaction, { frozen, now, offset = 0 }: NonNullable<ReadDocument['clock']>): void {
  const at = frozen ? (now ?? new Date(0).toISOString()) : null
  tx.put('clock', { id: 'clock', sequence: 0, created_at: at ?? new Date(0).toISOString(), frozen, at, offset })
}

/**
 * The document as its schema reads it; undefined when it is too broken to go on. Faults of single fields are reported
 * and the fields left out, so that the references of the rest are judged in the same run.
 */
function readShape(document: unknown, fault: (path: Path, message: string) => void): ReadDocument | undefined {
  const result = fixtureDocument.safeParse(document)
  if (result.success) return result.data
  const pruned = structuredClone(document)
  for (const issue of result.error.issues) {
    const path = issue.path as Path
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path]
    for (const key of keys) {
      fault(key, issue.code === 'unrecognized_keys' ? 'is not a known field' : issue.message)
      remove(pruned, key)
    }
  }
  return fixtureDocument.safeParse(pruned).data
}

function remove(document: unknown, path: Path): void {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
  if (parent && typeof parent === 'object' && !Array.isArray(parent))
    delete (parent as Record<string, unknown>)[path.at(-1) as string]
}
