import inc from 'semver/functions/inc.js'
import type { Admin } from '../../../control/client/admin.js'
import { newestEntry } from '../app/app-requests.js'
import { createTenant, type Tenant, type TenantParts } from './tenant.js'

/** Numbers of records in an organization of the audit's own. */
type Sizes = Partial<Record<'elements' | 'courses' | 'members', number>>

/** The platform's side of a run: control calls, each about an organization of the audit's own. */
export function createPlatform(run: string, parts: Omit<TenantParts, 'nextVersion'>) {
  const { admin, app, secrets } = parts
  const made: Tenant[] = []
  let upgraded: Promise<string> | undefined

  /** Pushes a copy of the newest manifest with the next version, once. */
  function nextVersion(): Promise<string> {
    const version = inc(app.version, 'patch') as string
    const manifest = { ...app.manifest, version } as Parameters<Admin['pushManifest']>[1]
    upgraded ??= admin.pushManifest(app.id, manifest).then(() => version)
    return upgraded
  }

  /** @param sizes of each organization; its elements are in one module. */
  async function tenants(count: number, sizes: Sizes = {}): Promise<Tenant[]> {
    const { elements = 3, courses = 1, members = 1 } = sizes
    const fresh = Array.from({ length: count }, (_, index) =>
      createTenant({ ...parts, nextVersion }, run, made.length + index + 1),
    )
    made.push(...fresh)
    const numbered = (length: number, name: string) =>
      Array.from({ length }, (_, index) => ({ name: `${name} ${index + 1}` }))
    const content = numbered(elements, 'Element').map((element) => ({ ...element, type: 'CONTENT' }))
    const people = fresh.map(({ slug, number, user: { id, email } }) => [
      { id, email, last_name: `Owner ${number}` },
      ...Array.from({ length: members - 1 }, (_, index) => {
        const id = `${slug}-member-${index}`
        return { id, email: `${id}@mockademy.test`, last_name: 'Member' }
      }),
    ])
    await admin.addFixtures({
      users: people.flat().map((person) => ({ ...person, first_name: 'Audit', email_verified: true, run })),
      organizations: fresh.map(({ slug, name, marker }, index) => ({
        slug,
        name,
        run,
        members: people[index]?.map(({ id }, member) => ({ user: id, role: member === 0 ? 'owner' : 'learner' })),
        courses: [
          { name: marker, modules: [{ name: 'Module', elements: content }] },
          ...numbered(courses - 1, 'Course'),
        ],
      })),
    })
    return fresh
  }

  return {
    admin,
    made: made as readonly Tenant[],
    tenants,
    tenant: async (sizes?: Sizes): Promise<Tenant> => (await tenants(1, sizes))[0] as Tenant,

    /** Adds the secrets that the audit did not see: tokens of refreshes and sign-ins, and codes. */
    async learnSecrets(): Promise<void> {
      const { tokens = [], codes = [] } = await admin.getState()
      const own = new Set(made.map(({ slug }) => slug))
      for (const { organization, secret, kind } of tokens) {
        secrets.add(String(secret), `${kind} token`, own.has(String(organization)))
      }
      for (const { organization, secret } of codes) {
        secrets.add(String(secret), 'code', own.has(String(organization)))
      }
    },

    newestEntry: () => newestEntry(admin),
    /** Returns the requests for discovery and keys since an entry. */
    keyRequests: (since: number) => admin.listRequests({ path: '/.well-known/*', since }),
  }
}
