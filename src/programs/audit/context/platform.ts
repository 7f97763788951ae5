import { newestEntry } from '../app/app-requests.js'
import { organizationDocument, type Sizes } from './organization-document.js'
import { createTenant, type Tenant, type TenantParts } from './tenant.js'

/** Creates the platform's side of a run: control calls, each about an organization of the audit's own. */
export function createPlatform(run: string, parts: TenantParts) {
  const { admin, secrets } = parts
  const made: Tenant[] = []

  /** @param sizes of each organization. */
  async function tenants(count: number, sizes: Sizes = {}): Promise<Tenant[]> {
    const fresh = Array.from({ length: count }, (_, index) => createTenant(parts, run, made.length + index + 1))
    made.push(...fresh)
    const documents = fresh.map(({ slug, name, marker, number }) => {
      const names = { slug, name, course: marker, firstName: 'Audit', lastName: `Owner ${number}` }
      return organizationDocument(names, sizes)
    })
    await admin.addFixtures({
      users: documents.flatMap(({ users }) => users.map((user) => ({ ...user, email_verified: true, run }))),
      organizations: documents.map(({ organization }) => ({ ...organization, run })),
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
