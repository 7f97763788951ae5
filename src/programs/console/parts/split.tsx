import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { address } from '../address.js'

export interface SplitProps {
  title: string
  /** Beside the title: what concerns the whole list. */
  head?: ComponentChildren
  list: ComponentChildren
  /** What is open, if anything is: beside the list, below it on a narrow screen. */
  detail?: ComponentChildren
  onClose: () => void
}

/** A list, and the one thing of it that is open. */
export function Split({ title, head, list, detail, onClose }: SplitProps) {
  const pane = useRef<HTMLElement>(null)
  const { id } = address.value
  useEffect(() => {
    if (id === undefined) return
    pane.current?.scrollTo(0, 0)
    if (matchMedia('(max-width: 60rem)').matches) pane.current?.scrollIntoView({ block: 'start' })
  }, [id])
  return (
    <div class={`split ${detail ? 'has-detail' : ''}`}>
      <section class="list" aria-label={title}>
        <div class="head">
          <h1>{title}</h1>
          {head}
        </div>
        {list}
      </section>
      {detail && (
        <aside class="detail" aria-label="Details" ref={pane}>
          <button type="button" class="small quiet close" onClick={onClose} data-close>
            Close
          </button>
          {detail}
        </aside>
      )}
    </div>
  )
}
