import type { CallName } from '../admin/calls.js'
import { effectsOf } from '../faults/effects.js'

/** What the server tells an agent at first. */
export const instructions = `Mockademy emulates a course-delivery platform locally: the public API under /v0, OAuth 2.0 and OpenID Connect, and webhooks to an extension app under development. These tools control the emulator; the app itself talks to it over HTTP.

Why was a request of the app refused? listRequests with limit 5 (surface "api", "oauth" or "webhook"): "reason" says it in full, "fault" names an injected fault, "warnings" what was ignored. Then listFindings for what the app keeps doing wrong, listFaults for faults that are still there, clock and listTokens for what has expired.
Did a webhook arrive? listDeliveries: every attempt with status, error and the app's answer; deliveriesSettled waits for those under way.
Bring a state about: install, expireTokens, advanceClock, addFault, sendEvent. snapshot before, restoreSnapshot or reset after: the emulator's world may be one that the developer is working with.
Apps are named by manifest id or client id, users by id or email, organizations by slug.`

/** The effects that have a name, by surface. */
const effectNames = Object.entries(effectsOf)
  .map(([surface, { names }]) => `Effects on ${surface}: ${names.map((name) => `"${name}"`).join(', ')}.`)
  .join(' ')

/** What an agent should know of a call beside its summary. */
export const hints: Partial<Record<CallName, string>> = {
  world: 'Begin here: addresses, how much there is of everything, and which settings are in force.',
  getState: 'Large, and it holds every secret in clear text. For a part, use the lists.',
  putState: 'Everything that is there now is lost. For more of something, use addFixtures.',
  addFixtures:
    'Users, organizations with courses, modules and elements, apps, installations; nothing is added when a part is not valid.',
  reset:
    'Clock, faults, sessions, journal and inboxes go back too. Take a snapshot first if the present state is to be kept.',
  advanceClock: 'As "61m" or "30d". Tokens expire and webhook retries happen on the way. Only reset goes back.',
  install:
    'Sends the signed webhook app.installed, unless announce is false. The delivery in the result says how the app answered.',
  expireTokens: 'By filters, by one secret, or { "all": true }. An app should refresh once and go on.',
  revokeTokens: 'By filters, by one secret, or { "all": true }. An app should ask for a new installation or sign-in.',
  mintTokens: 'For a request of your own as the app; the app must be installed there.',
  addFault: `${effectNames} On api and oauth also an object: { "status": 503 }, { "delay": "2s" }, { "connection": "reset" }, { "merge": { … } }. match.surface must be given for webhook and id_token. phase "after" does the work and loses the response; times says how often. Delete the fault when done.`,
  listFaults: 'A fault that is still here explains refusals that make no sense otherwise.',
  listDeliveries:
    'state "retrying" or "failed" finds webhooks that the app did not acknowledge; each attempt has the error and the response.',
  listRequests:
    'The newest come last; give limit, as entries hold headers and bodies. status finds refused ones; "reason" in an entry says exactly why, "fault" that it was injected.',
  listFindings:
    'level "error" is certain and forbidden; message says what to do instead, entries are ids of listRequests.',
  readInbox:
    'A webhook URL of /_inbox/<name> of the emulator keeps what it receives; verified tells whether the signature is right.',
  adminDocument: 'The OpenAPI document of the control API. Large, and these tools say the same.',
  setSilentAuth: 'As "login_required": what prompt=none ends in, for the next times requests or all.',
}
