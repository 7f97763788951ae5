import type { World } from '../../emulator/world/world.js'
import { describeText } from './mistaken-credential.js'

/** Collections that an id may belong to, by their names in reasons. */
const collections = {
  course: 'courses',
  module: 'modules',
  element: 'elements',
  activity: 'activities',
  user: 'users',
  member: 'users',
  organization: 'organizations',
  app: 'apps',
} as const

type Kind = keyof typeof collections
export type Resource = Exclude<Kind, 'user' | 'organization' | 'app'>

/** Explains, for the journal, why a caller's organization has no resource with this id: often the text is something else. */
export function whyMissing({ store }: Pick<World, 'store'>, resource: Resource, id: string): string {
  if (store[collections[resource]].get(id)) return `The ${resource} ${id} belongs to another organization`
  return `There is no ${resource} ${id}${whatIs(store, id)}`
}

function whatIs(store: World['store'], text: string): string {
  const slip = describeText(text)
  if (slip) return `: the id ${slip}`
  const user = store.users.by('email', text.toLowerCase())
  if (user) return `: it is the email address of the user ${user.id}`
  const kind = (Object.keys(collections) as Kind[]).find((each) => store[collections[each]].get(text))
  return kind ? `: it is the id of ${/^[aeo]/.test(kind) ? 'an' : 'a'} ${kind}` : ''
}
