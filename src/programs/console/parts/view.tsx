import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { address, goTo, linkTo, queryValue, setQuery } from './address.js'
import { Button } from './button.js'
import type { Option } from './field.js'
import { Empty, List, type ListProps } from './list.js'

/** A view of one column. */
export function SingleView(props: { title: string; head?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="single" aria-label={props.title}>
      <div class="head">
        <h1>{props.title}</h1>
        {props.head}
      </div>
      {props.children}
    </section>
  )
}

interface ListViewProps<T> extends ListProps<T> {
  title: string
  /** Beside the title: actions for the whole list. */
  head?: ComponentChildren
  /** Above and below the list. */
  filters?: ComponentChildren
  foot?: ComponentChildren
  /** The name of an item, such as `Delivery`. */
  noun: string
  /** Finds the item with the id of the address; one that the filters leave out, too. */
  find: (id: string) => T | undefined
  detail: (item: T) => ComponentChildren
  /** Why an item may be missing. */
  missing?: string
}

/** A list, and the details of the item that is open: beside the list, or below it on a narrow screen. */
export function ListView<T>({
  title,
  head,
  filters,
  foot,
  noun,
  find,
  detail,
  missing = 'It may belong to a world that was reset or replaced.',
  ...list
}: ListViewProps<T>) {
  const pane = useRef<HTMLElement>(null)
  const { view, id, query } = address.value
  const item = id === undefined ? undefined : find(id)
  const isMissing = id !== undefined && !item && list.state?.ready !== false
  const isOpen = item !== undefined || isMissing
  useEffect(() => {
    if (id === undefined) return
    pane.current?.scrollTo(0, 0)
    if (matchMedia('(max-width: 60rem)').matches) pane.current?.scrollIntoView({ block: 'start' })
  }, [id])
  return (
    <div class={`split ${isOpen ? 'has-detail' : ''}`}>
      <section class="list" aria-label={title}>
        <div class="head">
          <h1>{title}</h1>
          {head}
        </div>
        {filters}
        <List {...list} />
        {foot}
      </section>
      {isOpen && (
        <aside class="detail" aria-label="Details" ref={pane}>
          <Button look="small quiet close" onClick={() => goTo(linkTo(view, undefined, query))} data-close>
            Close
          </Button>
          {item !== undefined ? detail(item) : <Empty title={`${noun} ${id} not found`}>{missing}</Empty>}
        </aside>
      )}
    </div>
  )
}

/** A filter of a list by a value of the address's query. */
export function FilterSelect({ name, label, options }: { name: string; label: string; options: Option[] }) {
  return (
    <select aria-label={label} value={queryValue(name)} onChange={(event) => setQuery(name, event.currentTarget.value)}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
