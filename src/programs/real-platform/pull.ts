import { isObject } from '../../foundation/schema/is-object.js'
import { replaceableFile } from '../../foundation/store/replaceable-file.js'
import { payloadOrThrow, type Shown, unexpected } from './pages.js'
import {
  type ClientOptions,
  createPlatformClient,
  machineWatch,
  type PlatformClient,
  PlatformFailure,
  type PlatformResponse,
} from './platform-client.js'
import { type List, listsOf, takerOf } from './pulled-lists.js'
import { askForTypeNames, createTypeReader } from './type-names.js'
import { type Approximation, type HeldList, heldLists, lockFolder, UnfinishedPull } from './unfinished-pull.js'
import { type WorldOptions, writeWorldDocument } from './world-document.js'

/** `organization` and `name` are those that the document gets: `/v0` shows neither. */
export interface PullOptions extends ClientOptions, WorldOptions {
  /** Neutral names of element types to the platform's; asked for when left out. */
  typeNames?: Record<string, string> | undefined
  mostPages?: number
  onProgress?: (progress: PullProgress) => void
}

export type PullProgress =
  | { list: HeldList; count: number; requestsPerSecond: number }
  | { waiting: number; why: string }
  | { resumed: string }

export interface PullReport {
  counts: Record<HeldList, number>
  requests: number
  approximations: Approximation[]
}

/**
 * Reads an organization through `/v0` and writes it as a fixture document. Interrupted, it continues where it stopped when
 * it is called again with the same options. real-platform: "mockademy pull"
 * @throws PlatformFailure 1 when it could not be read whole; 2 when another pull, or what is no file, is in the way.
 * @throws the reason of `signal` when it aborts.
 */
export async function pull(options: PullOptions): Promise<PullReport> {
  const out = replaceableFile(options.out)
  if (out === undefined) throw new PlatformFailure(2, `${options.out} is not a regular file; name a file`)
  const unlock = await lockFolder(`${out}.pull`)
  return pullInto({ ...options, out }).finally(unlock)
}

async function pullInto(options: PullOptions): Promise<PullReport> {
  const { base, apiKey, courses, keepPeople, typeNames, watch = machineWatch, onProgress = () => {}, signal } = options
  // Pages must not be mixed with those of another address, key or choice.
  const pulled = new UnfinishedPull(
    `${options.out}.pull`,
    JSON.stringify([base, apiKey, courses, keepPeople, typeNames ?? null]),
  )
  const client = createPlatformClient(options, onProgress)
  try {
    if (pulled.pages.length > 0) onProgress({ resumed: pulled.folder })
    else pulled.names = typeNames ?? (await askForTypeNames(client))
    const neutralType = createTypeReader(pulled, (neutral, name) => {
      const flag = `--element-type-names ${neutral}=${/^[\w-]{1,64}$/.test(name) ? name : 'NAME'}`
      pulled.note('elements', 'type', `is treated as ${neutral} because of its properties; ${flag} makes it certain`)
    })
    const take = takerOf({ pulled, keepPeople, neutralType }, client, courses.length === 0)

    const began = watch.now()
    let finished = pulled.pages.filter(({ next }) => next === null).length
    for (const list of listsOf(pulled, courses)) {
      if (finished-- > 0) continue
      for await (const { items, next } of pagesFrom(client, list, pulled, options.mostPages)) {
        for (const item of items) await take(list, item)
        pulled.endPage(next)
        const requestsPerSecond = client.sent() / (Math.max(watch.now() - began, 1) / 1000)
        onProgress({ list: list.held, count: pulled.count(list.held), requestsPerSecond })
        signal?.throwIfAborted()
      }
    }
    await writeWorldDocument(options, pulled)
    const approximations = pulled.approximations()
    const counts = Object.fromEntries(heldLists.map((list) => [list, pulled.count(list)])) as PullReport['counts']
    pulled.remove()
    return { counts, requests: client.sent(), approximations }
  } catch (error) {
    const isEmpty = pulled.pages.length === 0
    if (isEmpty) pulled.remove()
    if (!signal?.aborted) throw error
    const rest = isEmpty ? 'nothing was read' : `run the same command again to continue from ${pulled.folder}`
    throw new PlatformFailure(1, `interrupted; ${rest}`)
  } finally {
    client.close()
  }
}

function pageIn(path: string, response: PlatformResponse) {
  const payload = payloadOrThrow(path, response)
  const { data, next } = isObject(payload) ? payload : {}
  if (!Array.isArray(data)) throw unexpected(path, 'no list in payload.data')
  if (!data.every(isObject)) throw unexpected(path, 'an item in payload.data that is not an object')
  // A list that seems to end here would lose the rest of it in silence.
  const isNext = typeof next === 'string' || next === null || next === false
  if (!isNext) throw unexpected(path, 'neither a cursor nor null in payload.next')
  return { items: data, next: next || null }
}

/**
 * Yields the pages of a list that are still to be read, each with the cursor of the next one; null on the last.
 * @throws PlatformFailure 1 when a page cannot be read, or the list has no end.
 */
async function* pagesFrom(
  client: PlatformClient,
  { path, query, single }: List,
  pulled: UnfinishedPull,
  mostPages = 100_000,
): AsyncGenerator<{ items: Shown[]; next: string | null }> {
  if (single) return yield { items: [payloadOrThrow(path, await client.request(path)) as Shown], next: null }
  const seen = new Set<string>()
  for (let page = pulled.pages.at(-1)?.next ?? null; ; ) {
    const response = await client.request(path, { query: { ...query, ...(page !== null && { page }) } })
    if (response.status === 400 && page !== null && seen.size === 0) {
      // The cursor of an earlier run is no longer valid.
      pulled.forgetList()
      page = null
      continue
    }
    const found = pageIn(path, response)
    page = found.next
    yield found
    if (page === null) return
    if (seen.has(page)) throw new PlatformFailure(1, `GET ${path} does not end: a cursor appeared twice`)
    seen.add(page)
    if (seen.size < mostPages) continue
    throw new PlatformFailure(1, `GET ${path} does not end: it has more than ${mostPages} pages`)
  }
}
