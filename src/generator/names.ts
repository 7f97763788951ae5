import type { SimpleFaker } from '@faker-js/faker'
import { words } from './words.js'

export const firstName = (faker: SimpleFaker): string => faker.helpers.arrayElement(words.firstNames)
export const lastName = (faker: SimpleFaker): string => faker.helpers.arrayElement(words.lastNames)

const kinds = ['Academy', 'College', 'Group', 'Institute', 'Learning', 'School', 'and Sons', 'University']

/** Two in three have one name, the others two: `Abbott Academy`, `Crooks & Ward`. */
export function companyName(faker: SimpleFaker): string {
  const isPair = faker.datatype.boolean(1 / 3)
  return isPair ? `${lastName(faker)} & ${lastName(faker)}` : `${lastName(faker)} ${faker.helpers.arrayElement(kinds)}`
}
