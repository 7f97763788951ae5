import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { CallResult } from '../../../control/admin/calls.js'
import { useResource } from '../api/resource.js'
import { Waiting } from '../components/action.js'
import { assign, Button } from '../components/button.js'
import { Json } from '../components/message.js'

/** A world with more elements is loaded only on request: it may have many megabytes. */
const LOADED_AT_ONCE = 2_000
/** The number of elements of a module that are drawn at first, and added by each *more*. */
const DRAWN = 100

type Organization = NonNullable<CallResult<'getState'>['organizations']>[number]
type Module = NonNullable<NonNullable<Organization['courses']>[number]['modules']>[number]

/** Courses, modules and elements of an organization, as in the fixture document of the world. */
export function CourseTree({ slug, elements, courses }: { slug: string; elements: number; courses: number }) {
  const isLoaded = useSignal(elements <= LOADED_AT_ONCE)
  if (courses === 0) return <p class="soft">No courses.</p>
  if (isLoaded.value) return <Courses slug={slug} />
  return <Button onClick={assign(isLoaded, true)}>Load all {elements.toLocaleString('en')} elements</Button>
}

function Courses({ slug }: { slug: string }) {
  const { data, problem } = useResource('getState')
  if (!data) return <Waiting problem={problem} />
  const courses = data.organizations?.find((each) => each.slug === slug)?.courses
  return (
    <div class="tree">
      {courses?.map((course) => (
        <Branch key={course.id} node={course} tag={course.status ?? 'draft'}>
          {() =>
            course.modules?.length
              ? course.modules.map((module) => <Module key={module.id} module={module} />)
              : none('modules')
          }
        </Branch>
      ))}
    </div>
  )
}

const none = (things: string) => <p class="soft">No {things}.</p>

function Module({ module }: { module: Module }) {
  const { elements = [] } = module
  const drawn = useSignal(DRAWN)
  return (
    <Branch node={module} count={elements.length}>
      {() => (
        <>
          {elements.slice(0, drawn.value).map(({ activities: _, ...element }) => (
            <Branch key={element.id} node={element} tag={element.type}>
              {() => <Json of={element} label={`Element ${element.name}`} />}
            </Branch>
          ))}
          {elements.length > drawn.value && (
            <Button onClick={assign(drawn, drawn.value + DRAWN)}>{elements.length - drawn.value} more</Button>
          )}
          {elements.length === 0 && none('elements')}
        </>
      )}
    </Branch>
  )
}

interface BranchProps {
  node: { id?: string; name?: unknown }
  tag?: string | undefined
  count?: number
  children: () => ComponentChildren
}

function Branch({ node: { id, name }, tag, count, children }: BranchProps) {
  const isOpen = useSignal(false)
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>
        {tag && <span class="tag">{tag}</span>} <bdi>{String(name)}</bdi> <code class="soft">{id}</code>{' '}
        {count !== undefined && <span class="soft">{count}</span>}
      </summary>
      {isOpen.value && children()}
    </details>
  )
}
