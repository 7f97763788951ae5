import type { CallName } from '../../control/admin/calls.js'
import { effectsOf } from '../../emulator/faults/effects.js'

/** What the server tells an agent at first. */
export const instructions = `Mockademy emulates a course-delivery platform locally: the public API under /v0, OAuth 2.0 and OpenID Connect, and webhooks to an extension app under development. These tools control the emulator; the app itself talks to it over HTTP.

To find out why a request of the app was refused, call listRequests with limit 5 (surface "api", "oauth" or "webhook"): "reason" gives the full reason, "fault" names an injected fault, "warnings" lists what was ignored. Then call listFindings for mistakes that the app makes, listFaults for faults that are still set, and clock and listTokens for what has expired.
To find out whether a webhook arrived, call listDeliveries: it shows each attempt with its status, error and response. deliveriesSettled waits for attempts in flight.
To produce a state, use install, expireTokens, advanceClock, addFault or sendEvent. The developer may be working with the same world, so call snapshot before and restoreSnapshot after.
Apps are named by manifest id or client id, users by id or email, organizations by slug.`

/** The effects that have a name, by surface. */
const effectNames = Object.entries(effectsOf)
  .map(([surface, { names }]) => `Effects on ${surface}: ${names.map((name) => `"${name}"`).join(', ')}.`)
  .join(' ')

/** What an agent should know of a call beside its summary. */
export const hints: Partial<Record<CallName, string>> = {
  world: 'Start here: addresses, counts of all records, and the settings in force.',
  getState: 'Large, and contains every secret in clear text. To read a part, use the list calls.',
  putState: 'Replaces everything in the world. To add to it, use addFixtures.',
  addFixtures:
    'Users, organizations with courses, modules and elements, apps, installations. If any part is invalid, nothing is added.',
  reset:
    'Also resets the clock, faults, sessions, journal and inboxes. To keep the current state, take a snapshot first.',
  advanceClock:
    'For example by "61m" or "30d". Tokens expire and webhook retries happen on the way. To go back in time, use restoreSnapshot or reset.',
  install:
    'Sends the signed webhook app.installed, unless announce is false. The delivery in the result shows how the app responded.',
  expireTokens:
    'By filters, by one secret, or { "all": true }. Refresh tokens stay valid unless kind is "refresh" or "all", so an app should refresh once and continue.',
  revokeTokens:
    'By filters, by one secret, or { "all": true }. An app should then ask for a new installation or sign-in.',
  mintTokens: 'Use the tokens to send requests as the app. The app must be installed in the organization.',
  addFault: `${effectNames} On api and oauth also an object: { "status": 503 }, { "delay": "2s" }, { "connection": "reset" }, { "merge": { … } }. match.surface is required for webhook and id_token. With phase "after", the request takes effect and its response is replaced or lost. times limits how often the fault fires. Delete the fault when you are done.`,
  listFaults: 'A fault that is still set can explain an unexpected error.',
  listDeliveries:
    'Use state "retrying" or "failed" to find webhooks that the app did not acknowledge. Each attempt has its error and response.',
  listRequests:
    'The newest entries come last. Entries contain headers and bodies, so set limit. Filter by status to find refused requests; "reason" says exactly why, and "fault" names an injected fault.',
  listFindings:
    'level "error" marks a certain violation. message says what to do instead; entries are IDs from listRequests.',
  readInbox:
    'Set a webhook URL to /_inbox/<name> on the emulator to keep what it receives. verified says whether the signature is valid.',
  adminDocument: 'The OpenAPI document of the control API. It is large and describes the same calls as these tools.',
  setSilentAuth:
    'Forces the outcome of prompt=none requests, for example "login_required", for the next times requests or for all.',
}
