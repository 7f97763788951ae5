import { effectsOf } from '../../emulator/faults/effects.js'
import type { CallName } from './calls.js'

/** The effects that have a name, by surface. */
const effectNames = Object.entries(effectsOf)
  .map(([surface, { names }]) => `Effects on ${surface}: ${names.map((name) => `"${name}"`).join(', ')}.`)
  .join(' ')

/** What to know of a call beside its summary, in the OpenAPI document and for agents. */
export const notes: Partial<Record<CallName, string>> = {
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
  adminDocument: 'OpenAPI 3.1 of all control calls. It is large.',
  setSilentAuth:
    'Forces the outcome of prompt=none requests, for example "login_required", for the next times requests or for all.',
}
