import { createHash } from 'node:crypto'
import type { JournalEntry } from '../world/exchange.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'

/** Lists whose next page nobody asked for. */
const UNREAD = 3
/** Times that the same request brought the same response. */
const POLLS = 10
/** Gaps between polls are near-equal when the longest is at most so many times the shortest. */
const EVEN = 1.5
/** Milliseconds on the emulator's clock: what comes faster is a burst and no poll. */
const SHORTEST_GAP = 1_000

interface Polled {
  digest: string
  times: number[]
}

/** unread_pages, polling. control-api: "Findings" */
export const judgeLists: CreateJudge = (_world, report) => {
  const open = new Recent<string, string>()
  const unread = new Recent<string, number>()
  const polled = new Recent<string, Polled>()

  return {
    judge({ entry, bearer, answer }) {
      const { surface, method, path, status, search, at, notes } = entry
      if (surface !== 'api' || method !== 'GET' || status !== 200 || bearer === undefined) return
      if (notes.fault !== undefined) return
      const query = new URLSearchParams(search)
      const page = query.get('page')
      query.delete('page')
      const list = `${bearer} ${path}?${query}`
      if (page === null && open.has(list)) {
        const count = (unread.get(list) ?? 0) + 1
        unread.set(list, count)
        if (count >= UNREAD) {
          report('unread_pages', entry, `${path} was read ${count} times without the page that next names.`)
        }
      }
      // Cheaper than parsing every response: only lists have the word in them.
      const next = mayHaveNext(entry) ? nextOf(answer()) : undefined
      if (typeof next === 'string') open.set(list, next)
      else open.delete(list)

      const key = `${bearer} ${path}?${search}`
      const digest = digestOf(entry)
      const before = polled.get(key)
      const times = before?.digest === digest ? [...before.times, Date.parse(at)].slice(-POLLS) : [Date.parse(at)]
      polled.set(key, { digest, times })
      if (times.length < POLLS) return
      const gaps = times.slice(1).map((time, index) => time - (times[index] as number))
      const [shortest, longest] = [Math.min(...gaps), Math.max(...gaps)]
      if (shortest >= SHORTEST_GAP && longest <= shortest * EVEN) {
        const seconds = Math.round(shortest / 1000)
        report('polling', entry, `GET ${path} brought the same response ${POLLS} times, every ${seconds} s.`)
      }
    },
  }
}

const mayHaveNext = ({ response: { body } }: JournalEntry) => body?.includes('"next":"') ?? false

const nextOf = (answer: Record<string, unknown> | undefined): unknown =>
  (answer?.payload as { next?: unknown } | null | undefined)?.next

const digestOf = ({ response: { body, length } }: JournalEntry): string =>
  `${length} ${createHash('sha1')
    .update(body ?? '')
    .digest('base64')}`
