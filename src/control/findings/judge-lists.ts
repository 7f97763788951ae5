import { createHash } from 'node:crypto'
import type { JournalEntry } from '../../emulator/world/exchange.js'
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

/** Longer bodies are told apart by their digests: what is remembered is to be small. */
const SHORT = 4_096

interface Polled {
  body: string | Buffer
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
      const [page, others] = pageIn(search)
      const list = `${bearer} ${path}?${others}`
      if (page === null && open.has(list)) {
        const count = (unread.get(list) ?? 0) + 1
        unread.set(list, count)
        if (count >= UNREAD) {
          report('unread_pages', entry, `${path} was read ${count} times without following next.`)
        }
      }
      // Cheaper than parsing every response: only lists have the word in them.
      const next = mayHaveNext(entry) ? nextOf(answer()) : undefined
      if (typeof next === 'string') open.set(list, next)
      else open.delete(list)

      const key = search === '' ? list : `${bearer} ${path}?${search}`
      const body = remembered(entry)
      const time = Date.parse(at)
      const before = polled.get(key)
      // As it nearly always is: a burst, which costs as little as it can.
      if (before && time - (before.times.at(-1) as number) < SHORTEST_GAP) {
        before.body = body
        before.times.length = 0
        before.times.push(time)
        return
      }
      const times = before && isSame(before.body, body) ? [...before.times, time].slice(-POLLS) : [time]
      polled.set(key, { body, times })
      if (times.length < POLLS) return
      const gaps = times.slice(1).map((time, index) => time - (times[index] as number))
      const [shortest, longest] = [Math.min(...gaps), Math.max(...gaps)]
      if (longest <= shortest * EVEN) {
        const seconds = Math.round(shortest / 1000)
        report('polling', entry, `GET ${path} returned the same response ${POLLS} times, about every ${seconds} s.`)
      }
    },
  }
}

const mayHaveNext = ({ response: { body } }: JournalEntry) => body?.includes('"next":"') ?? false

const nextOf = (answer: Record<string, unknown> | undefined): unknown =>
  (answer?.payload as { next?: unknown } | null | undefined)?.next

/** The page that a query asks for, and the query without it. */
function pageIn(search: string): [page: string | null, others: string] {
  if (search === '') return [null, '']
  const query = new URLSearchParams(search)
  const page = query.get('page')
  query.delete('page')
  return [page, query.toString()]
}

function remembered({ response: { body = '', length } }: JournalEntry): string | Buffer {
  return length <= SHORT ? body : `${length} ${createHash('sha1').update(body).digest('base64')}`
}

const isSame = (a: string | Buffer, b: string | Buffer) =>
  typeof a === 'string' ? a === b : typeof b !== 'string' && a.equals(b)
