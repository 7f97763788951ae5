import type { LibertyName } from '../world/liberty-names.js'
import { apiLiberties } from './api-liberties.js'
import { jsonLiberties } from './json-liberties.js'
import type { Liberty } from './liberty.js'
import { oauthLiberties } from './oauth-liberties.js'
import { transportLiberties } from './transport-liberties.js'
import { weather } from './weather.js'

/** Every liberty with its behavior, in the order in which they act. liberties: "Table" */
export const libertyTable: Record<LibertyName, Liberty> = {
  ...apiLiberties,
  ...oauthLiberties,
  ...jsonLiberties,
  ...transportLiberties,
  ...weather,
}
