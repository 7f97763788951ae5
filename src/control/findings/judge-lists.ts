import { createHash } from 'node:crypto'
import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'

/** Times that a first page was read again without its next page having been requested. */
const UNREAD = 3
/** Times that the same request got the same response. */
const POLLS = 10
/** The longest gap between polls is at most this many times the shortest. */
const EVEN = 1.5
/** Milliseconds on the emulator's clock: requests that follow faster are a burst, not a poll. */
const SHORTEST_GAP = 1_000
/** Bytes of a body that is remembered itself and not by its digest. */
const SHORT = 4_096

/** unread_pages, polling. control-api: "Findings" */
export const judgeLists: CreateJudge = (_world, report) => {
  /** Lists whose last page that was read has a next one. */
  const open = new Recent<string, true>()
  const unread = new Recent<string, number>()
  const polled = new Recent<string, { body: string | Buffer; times: number[] }>()

  const judgePages = (entry: JournalEntry, list: string, isFirst: boolean, next: unknown) => {
    if (isFirst && open.has(list)) {
      const count = (unread.get(list) ?? 0) + 1
      unread.set(list, count)
      if (count >= UNREAD)
        report('unread_pages', entry, `${entry.path} was read ${count} times without following next.`)
    }
    if (typeof next === 'string') open.set(list, true)
    else open.delete(list)
  }

  const judgePolling = (entry: JournalEntry, key: string) => {
    const body = bodyToRemember(entry)
    const time = Date.parse(entry.at)
    const before = polled.get(key)
    // The usual case: a burst, which costs as little as it can.
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
    const shortest = Math.min(...gaps)
    if (Math.max(...gaps) > shortest * EVEN) return
    const often = `${POLLS} times, about every ${Math.round(shortest / 1000)} s`
    report('polling', entry, `GET ${entry.path} returned the same response ${often}.`)
  }

  return {
    judge({ entry, bearer, responseBody }) {
      const { method, path, status, search, notes, response } = entry
      if (method !== 'GET' || status !== 200 || bearer === undefined || notes.fault !== undefined) return
      const [page, others] = pageIn(search)
      // Cheaper than parsing every response.
      const hasNext = response.body?.includes('"next":"') ?? false
      const payload = hasNext ? (responseBody()?.payload as { next?: unknown } | null | undefined) : undefined
      judgePages(entry, `${bearer} ${path}?${others}`, page === null, payload?.next)
      judgePolling(entry, `${bearer} ${path}?${search}`)
    },
  }
}

/** Returns the page that a query requests, and the query without it. */
function pageIn(search: string): [page: string | null, others: string] {
  if (search === '') return [null, '']
  const query = new URLSearchParams(search)
  const page = query.get('page')
  query.delete('page')
  return [page, query.toString()]
}

function bodyToRemember({ response: { body = '', length } }: JournalEntry): string | Buffer {
  return length <= SHORT ? body : `${length} ${createHash('sha1').update(body).digest('base64')}`
}

const isSame = (a: string | Buffer, b: string | Buffer) =>
  typeof a === 'string' ? a === b : typeof b !== 'string' && a.equals(b)
