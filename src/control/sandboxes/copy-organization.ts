import type { World } from '../../emulator/world/world.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import type { Transaction } from '../../foundation/store/store.js'
import { isEmail } from '../../platform/organizations/email.js'

type Properties = RecordOf<'elements'>['properties']

/**
 * Copies the people, courses and activities of an organization into another, under new ids. Installations, tokens and the
 * API key are not copied. People are new users, whose emails have the name of the organization, so that no user belongs
 * to both.
 * @returns the ids of the new users.
 */
export function copyOrganization(
  { store, random }: Pick<World, 'store' | 'random'>,
  tx: Transaction,
  from: string,
  to: string,
): string[] {
  const ids = new Map<string, string>()
  const idOf = (id: string): string => {
    const copy = ids.get(id) ?? random.id()
    ids.set(id, copy)
    return copy
  }
  const users: string[] = []
  const personOf = (id: string): string => {
    const user = store.users.get(id)
    if (user && !ids.has(id)) {
      users.push(idOf(id))
      // Only one suffix, even in a copy of a copy. Falls back to a generated address if this one is invalid or taken.
      const named = user.email.replace(/(\+sandbox-[^+@]*)?@/, `+${to}@`)
      const isFree = !store.users.by('email', named.toLowerCase())
      const email = isFree && isEmail(named) ? named : `${idOf(id)}@sandbox.test`
      tx.put('users', { ...user, id: idOf(id), sequence: tx.next(), email })
    }
    return idOf(id)
  }
  const copied = () => ({ organization: to, sequence: tx.next() })

  for (const membership of [...store.memberships.in('organization', from)]) {
    const user = personOf(membership.user)
    tx.put('memberships', { ...membership, ...copied(), id: `${to}/${user}`, user })
  }
  for (const course of [...store.courses.in('organization', from)]) {
    tx.put('courses', { ...course, ...copied(), id: idOf(course.id) })
    for (const member of [...store.course_members.in('course', course.id)]) {
      const [id, user] = [idOf(course.id), personOf(member.user)]
      tx.put('course_members', { ...member, ...copied(), id: `${id}/${user}`, course: id, user })
    }
  }
  for (const module of [...store.modules.in('organization', from)]) {
    tx.put('modules', { ...module, ...copied(), id: idOf(module.id), course: idOf(module.course) })
  }
  for (const element of [...store.elements.in('organization', from)]) {
    const { id, course, module } = element
    const places = { id: idOf(id), course: idOf(course), module: idOf(module) }
    tx.put('elements', { ...element, ...copied(), ...places, properties: withReferences(element.properties, idOf) })
  }
  for (const activity of [...store.activities.in('organization', from)]) {
    const { id, element, completed_by, member, members } = activity
    const people = {
      completed_by: completed_by && personOf(completed_by),
      member: member && personOf(member),
      members: members?.map(personOf) ?? null,
    }
    tx.put('activities', { ...activity, ...copied(), ...people, id: idOf(id), element: idOf(element) })
  }
  return users
}

/** Returns the properties of an element with the elements that they refer to by other ids. spec: §2.3 */
function withReferences(properties: Properties, idOf: (id: string) => string): Properties {
  const { source, inputs } = properties
  return {
    ...properties,
    ...(isObject(source) && { source: { ...source, id: idOf(String(source.id)) } }),
    ...(Array.isArray(inputs) && {
      inputs: inputs.map((input) => ({
        ...input,
        element: idOf(input.element),
        ...(input.scored_via && { scored_via: idOf(input.scored_via) }),
      })),
    }),
  }
}
