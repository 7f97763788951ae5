import type * as z from 'zod'
import type { appShape } from '../admin/apps.admin.js'
import type { clockShape } from '../admin/clock.admin.js'
import type { deliveryQuery, deliveryShape, settledQuery } from '../admin/deliveries.admin.js'
import type { eventBody } from '../admin/events.admin.js'
import type { faultShape } from '../admin/faults.admin.js'
import type { inboxBehaviour, inboxEntryShape, inboxQuery } from '../admin/inboxes.admin.js'
import type { installationQuery, installationShape, installBody, outcomeShape } from '../admin/installations.admin.js'
import type { rotatedShape, rotateRequest } from '../admin/keys.admin.js'
import type { memberShape, organizationRequest, organizationShape } from '../admin/organizations.admin.js'
import type { requestQuery } from '../admin/requests.admin.js'
import type { sessionShape, signedInShape } from '../admin/sessions.admin.js'
import type { silentAuthRequest, silentAuthShape } from '../admin/silent-auth.admin.js'
import type { mintRequest, tokenQuery, tokenResponse, tokenSelection, tokenShape } from '../admin/tokens.admin.js'
import type { userShape } from '../admin/users.admin.js'
import type { snapshotShape, worldShape } from '../admin/world.admin.js'
import type { ManifestInput } from '../apps/manifest.js'
import type { faultRequest } from '../faults/effects.js'
import type { FixtureDocument } from '../fixtures/document.js'
import type { journalEntryShape } from '../journal/present-entry.js'
import type { Role } from '../organizations/membership-record.js'
import type { userDocument } from '../organizations/user-fields.js'
import type { Duration } from '../schema/duration.js'
import { createSender } from './sender.js'

type Input<S extends z.ZodType> = z.input<S>
type Answer<S extends z.ZodType> = z.output<S>

export interface ConnectOptions {
  /** The setting `admin_token` of that emulator. */
  adminToken?: string | undefined
}

/** The control API as methods, one a call. control-api: "Typed client" */
export type Admin = ReturnType<typeof connect>

/**
 * A client of the control API of the emulator at `url`.
 * Every method rejects with an `AdminError` that holds the problem, when the call is refused.
 */
export function connect(url: string, options: ConnectOptions = {}) {
  const { get, post, put, del, list } = createSender(url, options.adminToken)
  const at = (strings: TemplateStringsArray, ...names: string[]) =>
    String.raw({ raw: strings }, ...names.map(encodeURIComponent))

  return {
    health: () => get<{ status: 'ok' }>('/healthz'),
    world: () => get<Answer<typeof worldShape>>('/_admin'),
    getState: () => get<FixtureDocument>('/_admin/state'),
    putState: (document: FixtureDocument) => put<Answer<typeof worldShape>>('/_admin/state', document),
    addFixtures: (document: FixtureDocument) =>
      post<{ created: Record<string, string[]> }>('/_admin/fixtures', document),
    reset: () => post<Answer<typeof worldShape>>('/_admin/reset'),

    listSnapshots: () => list<Answer<typeof snapshotShape>>('/_admin/snapshots'),
    snapshot: (name: string) => post<Answer<typeof snapshotShape>>('/_admin/snapshots', { name }),
    restoreSnapshot: (name: string) => post<Answer<typeof snapshotShape>>(at`/_admin/snapshots/${name}/restore`),
    deleteSnapshot: (name: string) => del<Answer<typeof snapshotShape>>(at`/_admin/snapshots/${name}`),

    clock: () => get<Answer<typeof clockShape>>('/_admin/clock'),
    advanceClock: (by: Duration) => post<Answer<typeof clockShape>>('/_admin/clock/advance', { by }),
    /** @param at an ISO 8601 date-time; where the clock stands when left out. */
    freezeClock: (at?: string) => post<Answer<typeof clockShape>>('/_admin/clock/freeze', { at }),
    resumeClock: () => post<Answer<typeof clockShape>>('/_admin/clock/resume'),

    listOrganizations: () => list<Answer<typeof organizationShape>>('/_admin/organizations'),
    createOrganization: (body: Input<typeof organizationRequest>) =>
      post<Answer<typeof organizationShape>>('/_admin/organizations', body),
    getOrganization: (slug: string) => get<Answer<typeof organizationShape>>(at`/_admin/organizations/${slug}`),
    deleteOrganization: (slug: string) => del<Answer<typeof organizationShape>>(at`/_admin/organizations/${slug}`),
    generateApiKey: (slug: string) => post<{ api_key: string }>(at`/_admin/organizations/${slug}/api-key`),
    /** @param user an id or an email, here and below. */
    putMember: (slug: string, user: string, role: Role) =>
      put<Answer<typeof memberShape>>(at`/_admin/organizations/${slug}/members/${user}`, { role }),
    deleteMember: (slug: string, user: string) =>
      del<Answer<typeof memberShape>>(at`/_admin/organizations/${slug}/members/${user}`),
    listUsers: () => list<Answer<typeof userShape>>('/_admin/users'),
    createUser: (body: Input<typeof userDocument>) => post<Answer<typeof userShape>>('/_admin/users', body),

    listApps: () => list<Answer<typeof appShape>>('/_admin/apps'),
    createApp: (body: {
      manifest: ManifestInput
      client_id?: string
      client_secret?: string
      signing_secret?: string
    }) => post<Answer<typeof appShape> & { client_secret: string }>('/_admin/apps', body),
    /** @param app a manifest id or a client id, here and below. */
    getApp: (app: string) => get<Answer<typeof appShape>>(at`/_admin/apps/${app}`),
    deleteApp: (app: string) => del<Answer<typeof appShape>>(at`/_admin/apps/${app}`),
    pushManifest: (app: string, manifest: ManifestInput) =>
      put<Answer<typeof appShape>>(at`/_admin/apps/${app}/manifest`, manifest),

    listInstallations: (query?: Input<typeof installationQuery>) =>
      list<Answer<typeof installationShape>>('/_admin/installations', query),
    getInstallation: (id: string) => get<Answer<typeof installationShape>>(at`/_admin/installations/${id}`),
    install: (body: Input<typeof installBody>) => post<Answer<typeof outcomeShape>>('/_admin/installations', body),
    upgrade: (id: string, version?: string) =>
      post<Answer<typeof outcomeShape>>(at`/_admin/installations/${id}/upgrade`, { version }),
    uninstall: (id: string) =>
      del<Pick<Answer<typeof outcomeShape>, 'installation' | 'delivery'>>(at`/_admin/installations/${id}`),

    listTokens: (query?: Input<typeof tokenQuery>) => list<Answer<typeof tokenShape>>('/_admin/tokens', query),
    expireTokens: (which: Input<typeof tokenSelection>) => post<{ affected: number }>('/_admin/tokens/expire', which),
    revokeTokens: (which: Input<typeof tokenSelection>) => post<{ affected: number }>('/_admin/tokens/revoke', which),
    mintTokens: (body: Input<typeof mintRequest>) => post<Answer<typeof tokenResponse>>('/_admin/tokens', body),

    listSessions: () => list<Answer<typeof sessionShape>>('/_admin/sessions'),
    signIn: (user: string) => post<Answer<typeof signedInShape>>('/_admin/sessions', { user }),
    endSessions: () => del<{ data: Answer<typeof sessionShape>[] }>('/_admin/sessions'),
    setAmbientUser: (user: string) => put<Answer<typeof sessionShape>>('/_admin/sessions/ambient', { user }),
    clearAmbientUser: () => del<Answer<typeof sessionShape>>('/_admin/sessions/ambient'),
    setSilentAuth: (body: Input<typeof silentAuthRequest>) =>
      put<Answer<typeof silentAuthShape>>('/_admin/silent-auth', body),
    listSilentAuth: () => list<Answer<typeof silentAuthShape>>('/_admin/silent-auth'),
    clearSilentAuth: () => del<{ data: Answer<typeof silentAuthShape>[] }>('/_admin/silent-auth'),
    rotateKeys: (body: Input<typeof rotateRequest> = {}) =>
      post<Answer<typeof rotatedShape>>('/_admin/keys/rotate', body),

    addFault: (body: Input<typeof faultRequest>) => post<Answer<typeof faultShape>>('/_admin/faults', body),
    listFaults: () => list<Answer<typeof faultShape>>('/_admin/faults'),
    clearFaults: () => del<{ data: Answer<typeof faultShape>[] }>('/_admin/faults'),
    deleteFault: (id: string) => del<Answer<typeof faultShape>>(at`/_admin/faults/${id}`),

    listDeliveries: (query?: Input<typeof deliveryQuery>) =>
      list<Answer<typeof deliveryShape>>('/_admin/deliveries', query),
    getDelivery: (id: string) => get<Answer<typeof deliveryShape>>(at`/_admin/deliveries/${id}`),
    redeliver: (id: string) => post<Answer<typeof deliveryShape>>(at`/_admin/deliveries/${id}/redeliver`),
    deliveriesSettled: (query?: Input<typeof settledQuery>) =>
      get<{ settled: boolean; waiting?: string[] }>('/_admin/deliveries/settled', query),
    sendEvent: (body: Input<typeof eventBody>) => post<Answer<typeof deliveryShape>>('/_admin/events', body),
    readInbox: (name: string, query?: Input<typeof inboxQuery>) =>
      list<Answer<typeof inboxEntryShape>>(at`/_admin/inboxes/${name}`, query),
    setInbox: (name: string, behaviour: Input<typeof inboxBehaviour>) =>
      put<Answer<typeof inboxBehaviour>>(at`/_admin/inboxes/${name}`, behaviour),
    emptyInbox: (name: string) => del<{ data: Answer<typeof inboxEntryShape>[] }>(at`/_admin/inboxes/${name}`),

    listRequests: (query?: Input<typeof requestQuery>) =>
      list<Answer<typeof journalEntryShape>>('/_admin/requests', query),
    countRequests: async (query?: Input<typeof requestQuery>) =>
      (await get<{ count: number }>('/_admin/requests/count', query)).count,
    clearRequests: () => del<{ affected: number }>('/_admin/requests'),
  }
}
