import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useResource } from '../api/resource.js'
import { Button } from '../parts/button.js'
import { Waiting } from '../parts/list.js'
import { TextBox } from '../parts/message.js'

/** A world with more elements is loaded only on request: it may have many megabytes. */
const LOADED_AT_ONCE = 2_000
/** The number of elements of a module that are drawn at first, and added by each *more*. */
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

/** Courses, modules and elements of an organization, as in the fixture document of the world. */
export function CourseTree({ slug, elements, courses }: { slug: string; elements: number; courses: number }) {
  const isLoaded = useSignal(elements <= LOADED_AT_ONCE)
  const load = () => {
    isLoaded.value = true
  }
  if (courses === 0) return <p class="soft">No courses.</p>
  if (isLoaded.value) return <Courses slug={slug} />
  return <Button onClick={load}>Load all {elements.toLocaleString('en')} elements</Button>
}

function Courses({ slug }: { slug: string }) {
  const { data, problem } = useResource('getState')
  if (!data.value) return <Waiting problem={problem.value} />
  const organization = data.value.organizations?.find((each) => each.slug === slug)
  return (
    <div class="tree">
      {((organization?.courses ?? []) as Course[]).map(({ id, name, status = 'draft', modules = [] }) => (
        <details key={id}>
          <summary>
            {name} <code class="soft">{id}</code> <span class="tag">{status}</span>
          </summary>
          {modules.map((module) => (
            <Module key={module.id} name={module.name} id={module.id} elements={module.elements ?? []} />
          ))}
          {modules.length === 0 && <p class="soft">No modules.</p>}
        </details>
      ))}
    </div>
  )
}

/** Details whose contents are rendered while they are open. */
function LazyDetails({ summary, children }: { summary: ComponentChildren; children: () => ComponentChildren }) {
  const isOpen = useSignal(false)
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>{summary}</summary>
      {isOpen.value && children()}
    </details>
  )
}

function Module({ name, id, elements }: { name: string | undefined; id: string | undefined; elements: Element[] }) {
  const drawn = useSignal(DRAWN)
  const drawMore = () => {
    drawn.value += DRAWN
  }
  const summary = (
    <>
      {name} <code class="soft">{id}</code> <span class="soft num">{elements.length}</span>
    </>
  )
  return (
    <LazyDetails summary={summary}>
      {() => (
        <>
          {elements.slice(0, drawn.value).map((element) => (
            <ElementDetails key={element.id} element={element} />
          ))}
          {elements.length > drawn.value && <Button onClick={drawMore}>{elements.length - drawn.value} more</Button>}
          {elements.length === 0 && <p class="soft">No elements.</p>}
        </>
      )}
    </LazyDetails>
  )
}

function ElementDetails({ element }: { element: Element }) {
  const { id, name, type, activities: _, ...fields } = element
  const summary = (
    <>
      <span class="tag">{type}</span> {name} <code class="soft">{id}</code>
    </>
  )
  return (
    <LazyDetails summary={summary}>
      {() => <TextBox text={JSON.stringify({ id, type, name, ...fields }, null, 2)} label={`Element ${name}`} />}
    </LazyDetails>
  )
}
