export type Sizes = Partial<Record<'elements' | 'courses' | 'members', number>>

/**
 * Returns an organization as a fixture document, and its people, the owner first. All elements are in the first course.
 * @param names `course` is that of the first course, `lastName` the owner's.
 */
export function organizationDocument(
  names: Record<'slug' | 'name' | 'course' | 'firstName' | 'lastName', string>,
  { elements = 3, courses = 1, members = 1 }: Sizes,
) {
  const { slug, name, course, firstName: first_name, lastName } = names
  const person = (id: string, last_name: string) => ({ id, email: `${id}@mockademy.test`, first_name, last_name })
  const learners = Array.from({ length: members - 1 }, (_, index) => person(`${slug}-member-${index}`, 'Member'))
  const users = [person(`${slug}-owner`, lastName), ...learners]
  const numbered = (length: number, noun: string) => Array.from({ length }, (_, index) => `${noun} ${index + 1}`)
  const content = numbered(elements, 'Element').map((title) => ({ name: title, type: 'CONTENT' as const }))
  const others = numbered(courses - 1, 'Course').map((title) => ({ name: title }))
  return {
    users,
    organization: {
      slug,
      name,
      members: users.map(({ id: user }, index) => ({
        user,
        role: index === 0 ? ('owner' as const) : ('learner' as const),
      })),
      courses: [{ name: course, modules: [{ name: 'Module', elements: content }] }, ...others],
    },
  }
}
