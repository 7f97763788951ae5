import type * as z from 'zod'
import type { clockShape } from '../admin/clock.admin.js'
import type { deliveryShape } from '../admin/deliveries.admin.js'
import type { journalEntryShape } from '../journal/present-entry.js'
import type { Finding, WorldChange } from '../world/parts.js'
import { AdminError } from './sender.js'

/** One event of the live stream; `id` is what to go on after. control-api: "Journal" */
export type StreamEvent = { id: number } & (
  | { type: 'request'; data: z.output<typeof journalEntryShape> }
  | { type: 'delivery'; data: z.output<typeof deliveryShape> }
  | { type: 'change'; data: { collection: string; id: string; kind: 'put' | 'removed' } }
  | { type: 'clock'; data: z.output<typeof clockShape> }
  | { type: 'world'; data: { why: WorldChange } }
  | { type: 'finding'; data: Finding }
  /** So many events came faster than they were read, and are gone. */
  | { type: 'gap'; data: { missed: number } }
)

export interface StreamOptions {
  /** The id of the last event that is known; only what happens from now on when left out. */
  since?: number | undefined
  /** Ends the reading. */
  signal?: AbortSignal | undefined
}

/** Takes pieces of a stream as they come and returns the events that are whole. Comments are nothing. */
export function eventParser(): (piece: string) => StreamEvent[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => {
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(': ')
          return [line.slice(0, colon), line.slice(colon + 2)]
        }),
      )
      const data = fields.get('data')
      if (data === undefined) return []
      return [{ id: Number(fields.get('id')), type: fields.get('event'), data: JSON.parse(data) } as StreamEvent]
    })
  }
}

/**
 * What happens in the emulator at `url`, until the signal aborts or the emulator ends.
 * @throws AdminError when it is refused.
 */
export async function* readStream(
  url: string,
  adminToken: string | undefined,
  { since, signal }: StreamOptions = {},
): AsyncGenerator<StreamEvent> {
  const ended = new AbortController()
  const end = () => ended.abort()
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) return
  try {
    const response = await fetch(
      `${url.replace(/\/$/, '')}/_admin/stream${since === undefined ? '' : `?since=${since}`}`,
      {
        headers: adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` },
        signal: ended.signal,
      },
    )
    if (!response.ok) throw new AdminError(response.status, (await response.json()) as AdminError['problem'])
    const take = eventParser()
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield* take(read.value)
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    signal?.removeEventListener('abort', end)
    ended.abort()
  }
}
