import { type LibertyName, libertyKinds } from '../world/liberty-names.js'
import { apiLiberties } from './api-liberties.js'
import { jsonLiberties } from './json-liberties.js'
import type { Liberty } from './liberty.js'
import { oauthLiberties } from './oauth-liberties.js'
import { transportLiberties } from './transport-liberties.js'
import { weather } from './weather.js'

const entries = {
  ...apiLiberties,
  ...oauthLiberties,
  ...jsonLiberties,
  ...transportLiberties,
  ...weather,
} satisfies Record<LibertyName, Liberty>

/** Every liberty with its behaviour, in the order in which they act on a response. liberties: "Table" */
export const libertyTable: Record<LibertyName, Liberty> = Object.fromEntries(
  Object.keys(libertyKinds).map((name) => [name, entries[name as LibertyName]]),
) as Record<LibertyName, Liberty>
