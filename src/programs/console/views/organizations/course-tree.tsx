import { useSignal } from '@preact/signals'
import { useResource } from '../../api/resource.js'
import type { WorldDocument } from '../../api/shapes.js'
import { Waiting } from '../../parts/empty.js'
import { TextBox } from '../../parts/message.js'

/** A world with more elements than this is read only when asked for: it may be many megabytes. */
const READ_AT_ONCE = 2_000
/** So many elements of a module are drawn at first. */
const DRAWN = 100

interface Element {
  id?: string
  name?: string
  type?: string
  [field: string]: unknown
}
interface Course {
  id?: string
  name?: string
  status?: string
  modules?: { id?: string; name?: string; elements?: Element[] }[]
}

/** Courses, modules and elements of an organization, as the fixture document of the world has them. */
export function CourseTree({ slug, elements, courses }: { slug: string; elements: number; courses: number }) {
  const asked = useSignal(elements <= READ_AT_ONCE)
  if (courses === 0) return <p class="soft">No courses.</p>
  if (asked.value) return <Courses slug={slug} />
  return (
    <button
      type="button"
      class="small quiet"
      onClick={() => {
        asked.value = true
      }}
    >
      Load all {elements.toLocaleString('en')} elements
    </button>
  )
}

function Courses({ slug }: { slug: string }) {
  const { data, problem } = useResource<WorldDocument>('/_admin/state', ['courses', 'modules', 'elements'])
  if (!data.value) return <Waiting problem={problem.value} />
  const organization = data.value.organizations?.find((each) => each.slug === slug)
  return (
    <div class="tree">
      {((organization?.courses ?? []) as Course[]).map((course) => (
        <details key={course.id}>
          <summary>
            {course.name} <code class="soft">{course.id}</code> <span class="tag">{course.status ?? 'draft'}</span>
          </summary>
          {(course.modules ?? []).map((module) => (
            <Module key={module.id} name={module.name} id={module.id} elements={module.elements ?? []} />
          ))}
          {!course.modules?.length && <p class="soft">No modules.</p>}
        </details>
      ))}
    </div>
  )
}

function Module({ name, id, elements }: { name: string | undefined; id: string | undefined; elements: Element[] }) {
  const drawn = useSignal(DRAWN)
  const open = useSignal(false)
  return (
    <details
      onToggle={({ currentTarget }) => {
        open.value = currentTarget.open
      }}
    >
      <summary>
        {name} <code class="soft">{id}</code> <span class="soft num">{elements.length}</span>
      </summary>
      {open.value &&
        elements.slice(0, drawn.value).map((element) => <ElementDetails key={element.id} element={element} />)}
      {open.value && elements.length > drawn.value && (
        <button
          type="button"
          class="small quiet"
          onClick={() => {
            drawn.value += DRAWN
          }}
        >
          {elements.length - drawn.value} more
        </button>
      )}
      {elements.length === 0 && <p class="soft">No elements.</p>}
    </details>
  )
}

function ElementDetails({ element }: { element: Element }) {
  const open = useSignal(false)
  const { id, name, type, activities: _, ...fields } = element
  return (
    <details
      onToggle={({ currentTarget }) => {
        open.value = currentTarget.open
      }}
    >
      <summary>
        <span class="tag">{type}</span> {name} <code class="soft">{id}</code>
      </summary>
      {open.value && (
        <TextBox text={JSON.stringify({ id, type, name, ...fields }, null, 2)} label={`Element ${name}`} />
      )}
    </details>
  )
}
