import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Problem } from '../api/call.js'
import { report } from '../api/report.js'
import { Waiting } from './action.js'
import { address, closeRecord, linkTo, search } from './address.js'
import { Button, findElement } from './button.js'
import { scrollTo } from './facts.js'
import { ToCopy } from './message.js'

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

export interface Column<T> {
  head: string
  class: string
  cell: (item: T) => ComponentChildren
}

/** @param name of its class: how wide it is, and on which screens it is hidden. */
export const column = <T,>(head: string, name: string, cell: Column<T>['cell']): Column<T> => ({
  head,
  class: name,
  cell,
})

/** Returns the column of a row's buttons. */
export const actions = <T,>(cell: Column<T>['cell']) => column('Actions', 'c-actions', cell)

/** Returns a column whose cells have a line of their own under the others, in a table of the class `lines`. */
export const reason = <T,>(cell: Column<T>['cell']) => column('Reason', 'c-why', cell)

interface ListProps<T> {
  /** Names the items and their order for screen readers. */
  caption: string
  /** Rows of a long list are rendered less often when the columns are always the same array. */
  columns: Column<T>[]
  items: T[]
  ready?: boolean
  problem?: Problem | undefined
  /** The address has the key of the open row as its id; the `id` of the item when left out. */
  keyOf?: (item: T) => string | number
  empty?: ComponentChildren
  class?: string
  /** The most rows that are drawn at once. console: Serving, load */
  limit?: number
  /** An item that is drawn with the first rows, also when it is none of them. */
  kept?: T | undefined
  turns?: [string, string]
}

const idOf = (item: unknown) => (item as { id: string | number }).id

/** The items as rows of a table, whichever view they are in. `j` and `k` move over its `RowLink`s. */
export function List<T>(props: ListProps<T>) {
  const { caption, columns, items, keyOf = idOf, ready = true, problem, empty, class: name, limit = 200, kept } = props
  const { turns: [before, after] = ['Previous', 'Next'] } = props
  const table = useRef<HTMLTableElement>(null)
  const position = useSignal(0)
  useEffect(() => {
    position.value = 0
  }, [search.value])
  if (!ready) return <Waiting problem={problem} />
  if (items.length === 0 && !kept) return <>{empty}</>
  const first = position.value < items.length ? position.value : 0
  const rows = items.slice(first, first + limit)
  const isMissing = kept && first === 0 && !rows.some((item) => keyOf(item) === keyOf(kept))
  const show = (start: number) => () => {
    position.value = start
    table.current?.scrollIntoView()
  }
  return (
    <>
      <table class={name} ref={table}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, class: name }) => (
              <th key={head} scope="col" class={name}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(isMissing ? [...rows.slice(0, limit - 1), kept] : rows).map((item) => (
            <Row key={keyOf(item)} id={keyOf(item)} item={item} columns={columns} />
          ))}
        </tbody>
      </table>
      {items.length > limit && (
        <nav class="toolbar" aria-label={caption}>
          <Button disabled={first === 0} onClick={show(first - limit)}>
            {before}
          </Button>
          <span class="soft">
            {first + 1} to {first + rows.length} of {items.length}
          </span>
          <Button disabled={first + limit >= items.length} onClick={show(first + limit)}>
            {after}
          </Button>
        </nav>
      )}
    </>
  )
}

/** Reads a signal, so it is rendered again only when that or a property changes. */
function Row<T>({ id, item, columns }: { id: string | number; item: T; columns: Column<T>[] }) {
  const isOpen = address.value.id === String(id)
  return (
    <tr class={isOpen ? 'open' : ''} ref={isOpen ? scrollTo : null}>
      {columns.map(({ head, class: name, cell }) => (
        <td key={head} class={name}>
          {cell(item)}
        </td>
      ))}
    </tr>
  )
}

/**
 * The link of a row that opens it in its view, with the filters of the list.
 * @param props `path` is shown beside the name: the path of a request, an id, an address.
 */
export function RowLink(props: { id: string | number; name: string; path?: string; onFocus?: () => void }) {
  const { view, id, query } = address.value
  return (
    <a
      data-row
      href={linkTo(view, props.id, query)}
      aria-current={id === String(props.id) ? 'true' : undefined}
      {...(props.onFocus && { onFocus: props.onFocus })}
    >
      <b>{props.name}</b> {props.path && <span class="path">{props.path}</span>}
    </a>
  )
}

/** A heading with the actions for what is below it. */
export function Head(props: { title: string; level?: 'h1' | 'h2' | 'h3'; children?: ComponentChildren }) {
  const Heading = props.level ?? 'h2'
  return (
    <div class="head">
      <Heading>{props.title}</Heading>
      {props.children}
    </div>
  )
}

/** A view of one column. */
export function SingleView(props: { title: string; head?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="single" aria-label={props.title}>
      <Head title={props.title} level="h1">
        {props.head}
      </Head>
      {props.children}
    </section>
  )
}

interface ListViewProps<T> extends Omit<ListProps<T>, 'caption'> {
  title: string
  /** The title when left out. */
  caption?: string
  head?: ComponentChildren
  filters?: ComponentChildren
  foot?: ComponentChildren
  /** The name of an item, such as `App`, for one that is not in the list. */
  noun?: string
  /** Finds the item with the id of the address, where the filters may leave it out. */
  find?: (id: string) => T | undefined
  detail: (item: T) => ComponentChildren
  missing?: ComponentChildren
}

/** A list, and the details of the item that is open: beside the list, or below it on a narrow screen. */
export function ListView<T>(props: ListViewProps<T>) {
  const { title, caption = title, head, filters, foot, noun, detail, missing, ...list } = props
  const { items, keyOf = idOf, find = (id) => items.find((item) => String(keyOf(item)) === id) } = props
  const pane = useRef<HTMLElement>(null)
  const { id } = address.value
  const item = id === undefined ? undefined : find(id)
  const isOpen = item !== undefined || (id !== undefined && list.ready !== false)
  useEffect(() => {
    if (id === undefined) return
    pane.current?.scrollTo(0, 0)
    // On a narrow screen, where the page scrolls instead.
    pane.current?.scrollIntoView()
  }, [id, isOpen])
  return (
    <div class={`split ${isOpen ? 'has-detail' : ''}`}>
      <div class="bar">
        <Head title={title} level="h1">
          {head}
        </Head>
        {filters}
      </div>
      <section class="list" aria-label={title}>
        <List caption={caption} {...list} />
        {foot}
      </section>
      {isOpen && (
        <aside class="detail" aria-label="Details" ref={pane}>
          <Button
            look="small quiet close"
            onClick={() => {
              findElement('tr.open [data-row]')?.focus()
              closeRecord()
            }}
            data-close
          >
            Close
          </Button>
          {item !== undefined
            ? detail(item)
            : (missing ?? <Empty title={`${noun} ${id} not found`}>Its world may have been reset or replaced.</Empty>)}
        </aside>
      )}
    </div>
  )
}
