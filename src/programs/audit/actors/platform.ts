import { createHmac, randomBytes } from 'node:crypto'
import { inc } from 'semver'
import type { Admin } from '../../../control/client/connect.js'
import type { Duration } from '../../../foundation/schema/duration.js'
import type { AppUnderTest } from '../app-under-test.js'
import type { Secrets } from '../secrets.js'
import { Inconclusive } from '../verdict.js'

/** An organization of a check's own, with one owner, a course of three elements, and nothing installed. */
export interface Tenant {
  slug: string
  name: string
  /** In the name of its course, so that whoever shows it has read this organization. */
  marker: string
  user: { id: string; email: string; full_name: string }
}

type Installed = Awaited<ReturnType<Admin['install']>>
export type PresentedEntry = Awaited<ReturnType<Admin['listRequests']>>[number]
export type FaultBody = Parameters<Admin['addFault']>[0]
type Attempt = NonNullable<Installed['delivery']>['attempts'][number]

/** A fault of the audit's own, for one organization. */
export interface OwnFault {
  /** How often it has fired. */
  hits(): Promise<number>
  /** Takes it away, and lets go whom it keeps waiting. */
  lift(): Promise<void>
}

export interface EnvelopeOptions {
  type?: string
  /** Of the event; a fresh one when left out. */
  id?: string
  /** Instead of the installation's own data. */
  data?: Record<string, unknown>
}

/** The platform's side of a run: control calls, each about an organization of the audit's own. */
export type Platform = ReturnType<typeof createPlatform>

export function createPlatform(admin: Admin, app: AppUnderTest, secrets: Secrets) {
  const run = `audit-${randomBytes(4).toString('hex')}`
  const made: Tenant[] = []
  let upgraded: Promise<string> | undefined

  /** @param elements how many each organization has, in one module. */
  async function tenants(count: number, elements = 3): Promise<Tenant[]> {
    const fresh = Array.from({ length: count }, (): Tenant => {
      const number = made.length + 1
      const slug = `${run}-${number}`
      const tenant: Tenant = {
        slug,
        name: `Audit ${number}`,
        marker: `course of ${slug}.`,
        user: { id: `${slug}-owner`, email: `${slug}@mockademy.test`, full_name: `Audit Owner ${number}` },
      }
      made.push(tenant)
      return tenant
    })
    await admin.addFixtures({
      users: fresh.map(({ user: { id, email } }, index) => ({
        id,
        email,
        first_name: 'Audit',
        last_name: `Owner ${made.length - count + index + 1}`,
        email_verified: true,
      })),
      organizations: fresh.map(({ slug, name, marker, user }) => ({
        slug,
        name,
        members: [{ user: user.id, role: 'owner' as const }],
        courses: [
          {
            name: marker,
            modules: [
              {
                name: 'Module',
                elements: Array.from({ length: elements }, (_, index) => ({
                  type: 'CONTENT',
                  name: `Element ${index + 1}`,
                })),
              },
            ],
          },
        ],
      })),
    })
    return fresh
  }

  const tenant = async (elements?: number): Promise<Tenant> => (await tenants(1, elements))[0] as Tenant

  const keep = (installed: Installed): Installed => {
    secrets.add(installed.credentials?.access_token, 'access token')
    secrets.add(installed.credentials?.refresh_token, 'refresh token')
    return installed
  }

  /** Installs the app; `announce: false` leaves it to the check to tell the app. */
  const install = async ({ slug }: Tenant, announce = true): Promise<Installed> =>
    keep(await admin.install({ app: app.id, organization: slug, version: app.version, announce }))

  /** The version above the app's newest, the same in everything else: pushed when it is first needed. */
  const nextVersion = () => {
    upgraded ??= (async () => {
      const version = inc(app.version, 'patch') as string
      await admin.pushManifest(app.id, { ...app.manifest, version } as Parameters<Admin['pushManifest']>[1])
      return version
    })()
    return upgraded
  }

  /** Any fault, for one organization and this app; a check's other organizations are not touched. */
  async function fault(slug: string, { match, ...body }: FaultBody): Promise<OwnFault> {
    const { id } = await admin.addFault({ ...body, match: { ...match, app: app.id, organization: slug } })
    return {
      hits: async () => (await admin.listFaults()).find((each) => each.id === id)?.hits ?? 0,
      lift: async () => void (await admin.deleteFault(id)),
    }
  }

  return {
    admin,
    /** Every organization that was made. */
    made: made as readonly Tenant[],
    tenants,
    tenant,
    install,
    upgrade: async (installation: string) => keep(await admin.upgrade(installation, await nextVersion())),
    /** The app acknowledges this before the tokens end. @throws Inconclusive when it does not. */
    async uninstall(installation: string) {
      const { delivery } = await admin.uninstall(installation)
      if (delivery && delivery.state !== 'acknowledged') {
        throw new Inconclusive(`the app did not acknowledge app.uninstalled: ${attemptOf(delivery)?.error}`)
      }
    },

    /** The body of a webhook as the platform would write it. wire: §7 "envelope" */
    envelope({ slug, name, user }: Tenant, { installation, credentials }: Installed, options: EnvelopeOptions = {}) {
      const { type = 'app.installed', id = `evt_${randomBytes(12).toString('hex')}`, data } = options
      const { id: appId, manifest } = app
      return {
        id,
        type,
        created_at: installation.installed_at,
        installation_id: installation.id,
        data: data ?? {
          organization: { id: slug, name },
          app: { id: appId, name: manifest.name, version: installation.version },
          installer: { id: user.id, email: user.email, full_name: user.full_name },
          ...(credentials && { credentials }),
        },
      }
    },

    /** spec: §6 rule 5, wire: §7 "headers" */
    sign(body: string | Buffer, secret = app.signingSecret): string {
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      if (secret === app.signingSecret) secrets.add(signature, 'genuine signature')
      return signature
    },

    /** A token pair as the token endpoint gives it. @param ttl of the access token. */
    async mint({ slug: organization }: Tenant, ttl: Duration) {
      const minted = await admin.mintTokens({ app: app.id, organization, ttl })
      secrets.add(minted.access_token, 'access token')
      secrets.add(minted.refresh_token, 'refresh token')
      return minted
    },

    fault,
    expire: ({ slug }: Tenant) => admin.expireTokens({ organization: slug }),

    /** Where the journal stands: entries that come later have greater ids. */
    async mark(): Promise<number> {
      return (await admin.listRequests({ limit: 1 }))[0]?.id ?? 0
    },
    /** What the app asked `/v0` and the token endpoint for in an organization since a mark. */
    async requests({ slug }: Tenant, since: number) {
      const entries = (await admin.listRequests({ organization: slug })).filter(({ id }) => id > since)
      const tokens = entries.filter(({ path }) => path === '/oauth/token')
      return {
        api: entries.filter(({ surface }) => surface === 'api'),
        refreshes: tokens.filter((entry) => grantOf(entry) === 'refresh_token'),
        exchanges: tokens.filter((entry) => grantOf(entry) === 'authorization_code'),
      }
    },
    /** How often discovery and keys were fetched, and when last, in ms since 1970. */
    async keyFetches(since: number): Promise<{ entries: PresentedEntry[]; last: number | undefined }> {
      const entries = (await admin.listRequests({ path: '/.well-known/*' })).filter(({ id }) => id > since)
      const last = entries.at(-1)
      return { entries, last: last && Date.parse(last.at) }
    },
  }
}

const grantOf = ({ request: { body } }: PresentedEntry) => (body as { grant_type?: string } | null)?.grant_type

/** The newest attempt of a delivery. */
export const attemptOf = (delivery: { attempts: Attempt[] } | null): Attempt | undefined => delivery?.attempts.at(-1)

export const idsOf = (...lists: PresentedEntry[][]): number[] => lists.flat().map(({ id }) => id)
