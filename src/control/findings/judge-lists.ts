import { hash } from 'node:crypto'
import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'
import { hasMetFault } from './response-visibility.js'

/** Pages with a next one that was never requested. */
const UNREAD_PAGES = 3
/** Times that the same request got the same response. */
const MIN_POLLS = 10
/** The longest gap between polls is at most this many times the shortest. */
const MAX_GAP_RATIO = 1.5
/** Milliseconds on the emulator's clock: requests that follow faster are a burst, not a poll. */
const MIN_GAP = 1_000
/** Bytes of a body that is remembered itself and not by its digest. */
const MAX_KEPT_BODY_BYTES = 4_096

/** unread_pages, polling. control-api: "Findings" */
export const judgeLists: CreateJudge = (world, report) => {
  /** Keyed by list: the number of its pages whose next page was not requested, and the latest exchange once they are too many. */
  const unread = new Recent<string, { count: number; shownBy: JournalEntry | undefined }>()
  const polled = new Recent<string, { body: string | Buffer; times: number[] }>()

  const countPage = (entry: JournalEntry, list: string, isFirst: boolean, hasNext: boolean) => {
    const before = unread.get(list)?.count ?? 0
    const count = Math.max(0, before - (isFirst ? 0 : 1)) + (hasNext ? 1 : 0)
    if (count === before) return
    unread.set(list, { count, shownBy: count >= UNREAD_PAGES ? entry : undefined })
  }

  const judgePolling = (entry: JournalEntry, key: string) => {
    const time = world.clock.now(entry.identity.organization ?? null)
    const before = polled.get(key)
    // The usual case: a burst, which costs as little as it can.
    if (before && time - (before.times.at(-1) as number) < MIN_GAP) {
      before.times.length = 0
      before.times.push(time)
      return
    }
    const body = bodyToRemember(entry, world.liberties.state().seed !== null)
    const times = before && isSame(before.body, body) ? [...before.times, time].slice(-MIN_POLLS) : [time]
    polled.set(key, { body, times })
    if (times.length < MIN_POLLS) return
    const gaps = times.slice(1).map((time, index) => time - (times[index] as number))
    const shortest = Math.min(...gaps)
    if (Math.max(...gaps) > shortest * MAX_GAP_RATIO) return
    const often = `${MIN_POLLS} times, about every ${Math.round(shortest / 1000)} s`
    report('polling', entry, `GET ${entry.path} returned the same response ${often}.`)
  }

  return {
    judge({ entry, bearer }) {
      const { method, path, status, search, notes } = entry
      if (method !== 'GET' || status !== 200 || bearer === undefined || hasMetFault(entry)) return
      const list = `${bearer} ${path}?`
      const [page, others] = pageIn(search)
      countPage(entry, list + others, page === null, typeof notes.next === 'string')
      judgePolling(entry, list + search)
    },

    // Judged anew for each listing, since the next page may be requested after the third read.
    conclude() {
      for (const { count, shownBy } of unread.values())
        if (shownBy) report('unread_pages', shownBy, `${shownBy.path} was read ${count} times without following next.`)
    },

    forget: () => unread.clear(),
  }
}

function pageIn(search: string): [page: string | null, others: string] {
  if (search === '') return [null, '']
  const query = new URLSearchParams(search)
  const page = query.get('page')
  query.delete('page')
  return [page, query.toString()]
}

/** Returns the members of a JSON text in an order of their own, also of one that the journal has cut. */
const sortedMembers = (text: string): string =>
  text
    .split(/[{}[\],]/)
    .sort()
    .join()

/** @param hasLiberties true while liberties may change the order of members. */
function bodyToRemember({ response }: JournalEntry, hasLiberties: boolean): string | Buffer {
  const { body: sent = '', length } = response
  const body = hasLiberties ? sortedMembers(`${sent}`) : sent
  return length <= MAX_KEPT_BODY_BYTES ? body : `${length} ${hash('sha1', body, 'base64')}`
}

const isSame = (a: string | Buffer, b: string | Buffer) =>
  typeof a === 'string' ? a === b : typeof b !== 'string' && a.equals(b)
