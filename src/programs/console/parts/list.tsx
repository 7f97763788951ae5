import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Problem } from '../api/call.js'
import { report } from '../api/report.js'
import type { ListState } from '../api/resource.js'
import { ProblemNote } from './action.js'
import { address, goTo, linkTo, queryValue, setQuery } from './address.js'
import { Button, Copy } from './button.js'
import type { Option } from './field.js'

/** Shown instead of an empty list: what would fill it, with the command to copy; in a report the title alone. console: Manners */
export function Empty({ title, children, command }: { title: string; children: ComponentChildren; command?: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {!report && <p>{children}</p>}
      {command && !report && <ToCopy text={command} />}
    </div>
  )
}

/** A command for a terminal, with Copy. */
export const ToCopy = ({ text }: { text: string }) => (
  <div class="call">
    <code>{text}</code>
    <Copy text={() => text} what="this command" />
  </div>
)

/** Shown until data is there, or why it could not be read. */
export const Waiting = ({ problem }: { problem: Problem | undefined }) =>
  problem ? <ProblemNote problem={problem} /> : <p class="soft waiting">Loading…</p>

export interface Column<T> {
  head: string
  /** The head is for screen readers only. */
  isHeadHidden?: true
  class?: string
  cell: (item: T) => ComponentChildren
}

/** A column of buttons, but for its cells. */
export const actions = { head: 'Actions', isHeadHidden: true, class: 'c-actions' } as const

/** A column whose cells have a line of their own under the others, in a table of the class `lines`. */
export const reason = { head: 'Reason', class: 'c-why' } as const

export interface ListProps<T> {
  /** For screen readers: the items and their order. */
  caption: string
  /** Rows of a long list are rendered less often when the columns are always the same array. */
  columns: Column<T>[]
  items: T[]
  /** The address has the key of the open row as its id. */
  keyOf: (item: T) => string | number
  /** Omitted when the items need no loading. */
  state?: Pick<ListState, 'ready' | 'problem'>
  /** Shown instead of the table when there are no items. */
  empty?: ComponentChildren
  class?: string
  /** The most rows that are drawn. */
  limit?: number
}

/** The items as rows of a table, whichever view they are in. `j` and `k` move over its `RowLink`s. */
export function List<T>({ caption, columns, items, keyOf, state, empty, class: name, limit = 200 }: ListProps<T>) {
  if (state && !state.ready) return <Waiting problem={state.problem} />
  if (items.length === 0) return <>{empty}</>
  return (
    <>
      <table class={name}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, isHeadHidden, class: name }) => (
              <th key={head} scope="col" class={name}>
                {isHeadHidden ? <span class="visually-hidden">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.slice(0, limit).map((item) => (
            <Row key={keyOf(item)} id={keyOf(item)} item={item} columns={columns} />
          ))}
        </tbody>
      </table>
      {items.length > limit && (
        <p class="soft num">
          Showing {limit} of {items.length.toLocaleString('en')}.
        </p>
      )}
    </>
  )
}

/** Reads a signal, so it is rendered again only when that or a property changes. */
function Row<T>({ id, item, columns }: { id: string | number; item: T; columns: Column<T>[] }) {
  return (
    <tr class={address.value.id === String(id) ? 'open' : ''}>
      {columns.map(({ head, class: name, cell }) => (
        <td key={head} class={name}>
          {cell(item)}
        </td>
      ))}
    </tr>
  )
}

/** The link of a row that opens it in its view, with the filters of the list. */
export function RowLink(props: { id: string | number; onFocus?: () => void; children: ComponentChildren }) {
  const { view, id, query } = address.value
  return (
    <a
      data-row
      href={linkTo(view, props.id, query)}
      aria-current={id === String(props.id) ? 'true' : undefined}
      {...(props.onFocus && { onFocus: props.onFocus })}
    >
      {props.children}
    </a>
  )
}

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
  /** The reason that an item may be missing. */
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
    document.querySelector('tr.open')?.scrollIntoView({ block: 'nearest' })
    if (matchMedia('(max-width: 60rem)').matches) pane.current?.scrollIntoView({ block: 'start' })
  }, [id, isOpen])
  return (
    <div class={`split ${isOpen ? 'has-detail' : ''}`}>
      <div class="bar">
        <div class="head">
          <h1>{title}</h1>
          {head}
        </div>
        {filters}
      </div>
      <section class="list" aria-label={title}>
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

interface FilterSelectProps {
  /** Of the value in the address's query. */
  name: string
  label: string
  /** The label of the choice that filters nothing. */
  any: string
  options: Option[]
}

/** A filter of a list by a value of the address's query. */
export function FilterSelect({ name, label, any, options }: FilterSelectProps) {
  return (
    <select aria-label={label} value={queryValue(name)} onChange={(event) => setQuery(name, event.currentTarget.value)}>
      {[{ value: '', label: any }, ...options].map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
