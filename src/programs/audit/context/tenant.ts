import type { Admin } from '../../../control/client/admin.js'
import type { Duration } from '../../../foundation/schema/duration.js'
import { isObject } from '../../../foundation/schema/is-object.js'
import { Inconclusive } from '../app/failures.js'
import type { Secrets } from '../app/secrets.js'
import { freshKey } from './attacker.js'
import { observeService, type ServiceParts } from './service.js'

export type FaultBody = Parameters<Admin['addFault']>[0]
/** Returns true for an effect of a fault that leaves a request without a response. */
export const hangs = (effect: unknown): boolean => isObject(effect) && effect.connection === 'hang'
export type Delivery = NonNullable<Awaited<ReturnType<Admin['install']>>['delivery']>
type Credentials = NonNullable<Awaited<ReturnType<Admin['install']>>['credentials']>

export interface TenantParts extends ServiceParts {
  secrets: Secrets
}

/** An organization of a check's own, with one owner, a course, and nothing installed. */
export type Tenant = ReturnType<typeof createTenant>

export function createTenant(parts: TenantParts, run: string, number: number) {
  const { admin, app, once, secrets } = parts
  // Numbers of one length: no slug is the beginning of another one. audit: `webhook.never-installed`
  const slug = `${run}-${String(number).padStart(4, '0')}`
  const name = `Audit ${number}`
  const user = { id: `${slug}-owner`, email: `${slug}-owner@mockademy.test`, full_name: `Audit Owner ${number}` }
  const service = observeService(parts, { slug, user })
  let installed: Awaited<ReturnType<Admin['install']>> | undefined

  const learn = ({ access_token, refresh_token }: { access_token?: string; refresh_token?: string }) => {
    secrets.add(access_token, 'access token')
    secrets.add(refresh_token, 'refresh token')
  }

  const installation = () => {
    if (!installed) throw new Error(`nothing is installed in ${slug}`)
    return installed.installation
  }

  /** Adds a fault for this organization and the app; other organizations are not touched. */
  async function fault({ match, ...body }: FaultBody) {
    // A hang ends with its fault, so that an app without a timeout goes on.
    const effect = hangs(body.effect) ? { hold: 1_000, connection: 'reset' as const } : body.effect
    const { id } = await admin.addFault({ ...body, effect, match: { ...match, app: app.id, organization: slug } })
    return {
      id,
      hits: async () => (await admin.listFaults()).find((each) => each.id === id)?.hits ?? 0,
      /** Removes the fault and releases the requests that it holds. @returns its hits. */
      lift: async () => (await admin.deleteFault(id)).hits,
    }
  }

  return {
    ...service,
    /** The same organization, with an owner who signs in at another browser. */
    atAnotherBrowser: () => observeService(parts, { slug, user }),
    number,
    slug,
    name,
    /** Name of its course: a page that shows it has read this organization. */
    marker: `course of ${slug}.`,
    user,
    /** The page that the platform opens after an install. */
    landingPage(): string {
      const url = new URL(app.manifest.post_install_action?.url ?? '')
      url.searchParams.set('organization', slug)
      return url.href
    },

    /** Installs the app. Without `announce`, no webhook is sent. */
    async install({ announce = true } = {}): Promise<Delivery | null> {
      installed = await admin.install({ app: app.id, organization: slug, version: app.version, announce })
      learn(installed.credentials ?? {})
      return installed.delivery
    },

    /** @throws Inconclusive when the app does not acknowledge the webhook, if it must. */
    async uninstall({ mustAcknowledge = true } = {}): Promise<Delivery | null> {
      const { delivery } = await admin.uninstall(installation().id)
      if (mustAcknowledge) mustBeAcknowledged(delivery, 'app.uninstalled', 'api.after-uninstall')
      return delivery
    },

    async upgrade(): Promise<void> {
      const manifest = { ...app.manifest, version: app.nextVersion } as Parameters<Admin['pushManifest']>[1]
      await once('next version', () => admin.pushManifest(app.id, manifest))
      const { credentials } = await admin.upgrade(installation().id, app.nextVersion)
      learn(credentials ?? {})
    },

    /** The webhook of the installation as the platform would write it. wire: §7 "envelope" */
    envelope(changes: { type?: string; data?: Record<string, unknown>; credentials?: Credentials } = {}) {
      const { id, version, installed_at } = installation()
      const { type = 'app.installed', data, credentials = installed?.credentials } = changes
      const isEnd = type === 'app.uninstalled'
      return {
        id: freshKey(),
        type,
        // An app may ignore an end that is not later than the beginning.
        created_at: isEnd ? new Date(Date.parse(installed_at) + 1_000).toISOString() : installed_at,
        installation_id: id,
        data: data ?? {
          organization: { id: slug, name },
          app: { id: app.id, name: app.manifest.name, version },
          ...(!isEnd && { installer: user, ...(credentials && { credentials }) }),
        },
      }
    },

    /** Mints a token pair as the token endpoint does. @param ttl of the access token. */
    async mint(ttl: Duration) {
      const minted = await admin.mintTokens({ app: app.id, organization: slug, ttl })
      learn(minted)
      return minted
    },

    fault,

    /** Probes once under a fault of `/v0` or the token endpoint and lifts it. */
    async observeProbeUnder(body: FaultBody) {
      const { lift } = await fault(body)
      const probe = await service.observeProbe()
      return { ...probe, calls: await lift() }
    },
  }
}

export const attemptOf = (delivery: Delivery | null): Delivery['attempts'][number] | undefined =>
  delivery?.attempts.at(-1)

/** @throws Inconclusive when the app did not acknowledge a webhook that was sent. @param followsFrom check that finds the cause. */
export function mustBeAcknowledged(delivery: Delivery | null, event: string, followsFrom?: string): void {
  if (!delivery || delivery.state === 'acknowledged') return
  throw new Inconclusive(`the app did not acknowledge ${event}: ${attemptOf(delivery)?.error}`, { followsFrom })
}
