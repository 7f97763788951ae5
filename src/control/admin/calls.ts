import { type CallEntry, chapter } from './call.js'

const world = chapter('World', {
  health: { method: 'GET', path: '/healthz', summary: 'Whether it is ready', open: true },
  world: { method: 'GET', path: '/_admin', summary: 'Addresses, settings and counts of this world' },
  getState: { method: 'GET', path: '/_admin/state', summary: 'The whole world as a fixture document' },
  putState: { method: 'PUT', path: '/_admin/state', summary: 'Replace the world by a fixture document' },
  addFixtures: {
    method: 'POST',
    path: '/_admin/fixtures',
    summary: 'Add a fixture document to the world',
    status: 201,
  },
  reset: { method: 'POST', path: '/_admin/reset', summary: 'Go back to the world that was loaded at start' },
  listSnapshots: { method: 'GET', path: '/_admin/snapshots', summary: 'List the snapshots', list: true },
  snapshot: {
    method: 'POST',
    path: '/_admin/snapshots',
    summary: 'Name the present state',
    status: 201,
    fields: ['name'],
  },
  restoreSnapshot: {
    method: 'POST',
    path: '/_admin/snapshots/:name/restore',
    summary: 'Go to a snapshot, back or forward',
  },
  deleteSnapshot: { method: 'DELETE', path: '/_admin/snapshots/:name', summary: 'Forget a snapshot' },
})

const clock = chapter('Clock', {
  clock: { method: 'GET', path: '/_admin/clock', summary: 'The time' },
  advanceClock: {
    method: 'POST',
    path: '/_admin/clock/advance',
    summary: 'Move time forward; what falls due on the way happens before it returns',
    fields: ['by'],
  },
  freezeClock: {
    method: 'POST',
    path: '/_admin/clock/freeze',
    summary: 'Stop time, where the clock stands or at a moment',
    bodyOptional: true,
    fields: ['at'],
  },
  resumeClock: { method: 'POST', path: '/_admin/clock/resume', summary: 'Let time run again from there' },
})

const organizations = chapter('Organizations, users, apps', {
  listOrganizations: { method: 'GET', path: '/_admin/organizations', summary: 'List the organizations', list: true },
  createOrganization: {
    method: 'POST',
    path: '/_admin/organizations',
    summary: 'Add an organization, without members and API key',
    status: 201,
  },
  getOrganization: { method: 'GET', path: '/_admin/organizations/:slug', summary: 'One organization' },
  deleteOrganization: {
    method: 'DELETE',
    path: '/_admin/organizations/:slug',
    summary: 'Delete an organization with everything in it',
  },
  generateApiKey: {
    method: 'POST',
    path: '/_admin/organizations/:slug/api-key',
    summary: 'Generate or regenerate the API key; the old one stops at once',
  },
  putMember: {
    method: 'PUT',
    path: '/_admin/organizations/:slug/members/:user',
    summary: 'Make a user (by id or email) a member, or give a member another role',
    fields: ['role'],
  },
  deleteMember: {
    method: 'DELETE',
    path: '/_admin/organizations/:slug/members/:user',
    summary: 'Remove a user (by id or email) from an organization',
  },
  listUsers: { method: 'GET', path: '/_admin/users', summary: 'List the users', list: true },
  createUser: { method: 'POST', path: '/_admin/users', summary: 'Add a user', status: 201 },
  updateUser: { method: 'PUT', path: '/_admin/users/:user', summary: 'Change fields of a user (by id or email)' },
})

const apps = chapter('Organizations, users, apps', {
  listApps: { method: 'GET', path: '/_admin/apps', summary: 'List the apps', list: true },
  createApp: {
    method: 'POST',
    path: '/_admin/apps',
    summary: 'Create an app; its client secret is in this response only',
    status: 201,
  },
  getApp: { method: 'GET', path: '/_admin/apps/:app', summary: 'One app, by manifest id or client id' },
  deleteApp: {
    method: 'DELETE',
    path: '/_admin/apps/:app',
    summary: 'Delete an app (by manifest id or client id) with its installations',
  },
  pushManifest: {
    method: 'PUT',
    path: '/_admin/apps/:app/manifest',
    summary: 'Push a manifest: a new version, or another text of one that exists',
  },
})

const installations = chapter('Installations', {
  listInstallations: {
    method: 'GET',
    path: '/_admin/installations',
    summary: 'List the installations, ended ones too',
    list: true,
  },
  install: {
    method: 'POST',
    path: '/_admin/installations',
    summary: 'Install an app; waits for the acknowledgement of its webhook',
    status: 201,
  },
  getInstallation: { method: 'GET', path: '/_admin/installations/:id', summary: 'One installation' },
  upgrade: {
    method: 'POST',
    path: '/_admin/installations/:id/upgrade',
    summary: 'Upgrade an app to its newest or another version',
    status: 201,
    bodyOptional: true,
    fields: ['version'],
  },
  uninstall: {
    method: 'DELETE',
    path: '/_admin/installations/:id',
    summary: 'Uninstall an app; waits for the first attempt of its webhook',
  },
})

const tokens = chapter('Tokens', {
  listTokens: { method: 'GET', path: '/_admin/tokens', summary: 'List tokens, without their secrets', list: true },
  mintTokens: { method: 'POST', path: '/_admin/tokens', summary: 'Mint a token pair directly', status: 201 },
  expireTokens: {
    method: 'POST',
    path: '/_admin/tokens/expire',
    summary: 'Make tokens expire now: access tokens, unless `kind` or `token` says otherwise',
  },
  revokeTokens: { method: 'POST', path: '/_admin/tokens/revoke', summary: 'Revoke tokens now' },
})

const signIn = chapter('Sign-in and silent authentication', {
  listSessions: { method: 'GET', path: '/_admin/sessions', summary: 'List the sessions', list: true },
  signIn: {
    method: 'POST',
    path: '/_admin/sessions',
    summary: 'Make a signed-in browser',
    status: 201,
    fields: ['user'],
  },
  endSessions: { method: 'DELETE', path: '/_admin/sessions', summary: 'Sign everybody out', list: true },
  setAmbientUser: {
    method: 'PUT',
    path: '/_admin/sessions/ambient',
    summary: 'Count requests without a cookie as signed in as this user',
    fields: ['user'],
  },
  clearAmbientUser: {
    method: 'DELETE',
    path: '/_admin/sessions/ambient',
    summary: 'End the ambient session: nobody is signed in without a cookie',
  },
  setSilentAuth: { method: 'PUT', path: '/_admin/silent-auth', summary: 'Force how prompt=none requests end' },
  listSilentAuth: {
    method: 'GET',
    path: '/_admin/silent-auth',
    summary: 'List the forced outcomes of prompt=none requests',
    list: true,
  },
  clearSilentAuth: { method: 'DELETE', path: '/_admin/silent-auth', summary: 'Force nothing any more', list: true },
  rotateKeys: {
    method: 'POST',
    path: '/_admin/keys/rotate',
    summary: 'Sign with a new key, from now on or later',
    bodyOptional: true,
  },
})

const faults = chapter('Faults', {
  addFault: { method: 'POST', path: '/_admin/faults', summary: 'Inject a fault', status: 201 },
  listFaults: { method: 'GET', path: '/_admin/faults', summary: 'List the faults, with their hits', list: true },
  clearFaults: { method: 'DELETE', path: '/_admin/faults', summary: 'Delete every fault', list: true },
  deleteFault: { method: 'DELETE', path: '/_admin/faults/:id', summary: 'Delete a fault' },
})

const webhooks = chapter('Webhooks', {
  listDeliveries: {
    method: 'GET',
    path: '/_admin/deliveries',
    summary: 'List webhook deliveries, with every attempt',
    list: true,
  },
  // Before the call of one delivery, whose pattern its path fits too.
  deliveriesSettled: {
    method: 'GET',
    path: '/_admin/deliveries/settled',
    summary: 'Wait until no delivery is in flight or overdue',
  },
  getDelivery: { method: 'GET', path: '/_admin/deliveries/:id', summary: 'One delivery' },
  redeliver: { method: 'POST', path: '/_admin/deliveries/:id/redeliver', summary: 'Send a delivery once more now' },
  sendEvent: {
    method: 'POST',
    path: '/_admin/events',
    summary: 'Send any event to the app of an installation',
    status: 201,
  },
  readInbox: {
    method: 'GET',
    path: '/_admin/inboxes/:name',
    summary: 'Read what a built-in receiver has kept; with `wait`, wait until there is something',
    list: true,
  },
  setInbox: {
    method: 'PUT',
    path: '/_admin/inboxes/:name',
    summary: 'Set how a built-in receiver responds: with 200 at once, where nothing else is said',
    bodyOptional: true,
  },
  emptyInbox: { method: 'DELETE', path: '/_admin/inboxes/:name', summary: 'Empty a built-in receiver', list: true },
})

const journal = chapter('Journal', {
  listRequests: {
    method: 'GET',
    path: '/_admin/requests',
    summary: 'List the requests that came in and the webhooks that went out, with their responses',
    list: true,
  },
  countRequests: { method: 'GET', path: '/_admin/requests/count', summary: 'How many requests there were' },
  clearRequests: { method: 'DELETE', path: '/_admin/requests', summary: 'Empty the journal' },
})

const findings = chapter('Findings', {
  listFindings: {
    method: 'GET',
    path: '/_admin/findings',
    summary: 'List what the app under test did that it should not',
    list: true,
  },
  clearFindings: { method: 'DELETE', path: '/_admin/findings', summary: 'Forget every finding', list: true },
})

const scenarios = chapter('Scenarios', {
  runScenario: {
    method: 'POST',
    path: '/_admin/scenarios',
    summary: 'Run the steps of a scenario, up to the first that fails',
  },
  startRecording: {
    method: 'POST',
    path: '/_admin/recording',
    summary: 'Record control calls and requests from now on',
    status: 201,
  },
  stopRecording: {
    method: 'DELETE',
    path: '/_admin/recording',
    summary: 'End the recording; what was recorded, as a scenario without secrets',
  },
})

const document = chapter('preamble', {
  adminDocument: { method: 'GET', path: '/_admin/openapi.json', summary: 'This document' },
})

/**
 * Every control call: its method, path and meaning, under the name that it has in the typed client. Routes, OpenAPI
 * document, client and command line are made of it. A new call needs its entry here, its schemas in the file of
 * schemas of its resource, and its handler; the compiler asks for the other two. control-api: all of it
 */
export const calls = {
  ...world,
  ...clock,
  ...organizations,
  ...apps,
  ...installations,
  ...tokens,
  ...signIn,
  ...faults,
  ...webhooks,
  ...journal,
  ...findings,
  ...scenarios,
  ...document,
} satisfies Record<string, CallEntry>

export type CallName = keyof typeof calls
export const callNames = Object.keys(calls) as CallName[]

/** The entry of a call, whichever it is. */
export const entryOf = (name: CallName): CallEntry & { source: string } => calls[name]
