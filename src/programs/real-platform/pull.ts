import { type Approximation, Approximations } from './approximations.js'
import type { Conversion } from './conversion.js'
import { machineWatch, type Watch } from './pacing.js'
import { pagesOf, read, type Shown, StaleCursor } from './pages.js'
import { createPlatformClient, type PlatformClient } from './platform-client.js'
import { PlatformFailure } from './platform-failure.js'
import { askForTypeNames, createTypeReader } from './platform-type-names.js'
import { type List, listsOf } from './pulled-lists.js'
import { PulledRecords } from './pulled-records.js'
import { type HeldList, heldLists, UnfinishedPull } from './unfinished-pull.js'
import { writeWorldDocument } from './world-document.js'

export interface PullOptions {
  /** `{base_url}`, as `readAddress` gives it. */
  base: string
  apiKey: string
  /** Slug and name that the organization gets: `/v0` shows neither. */
  organization: string
  name: string
  /** Only these courses; all of them when it is empty. */
  courses: string[]
  keepPeople: boolean
  requestsPerSecond: number
  /** The file to write. What has been read waits in a folder beside it until it is whole. */
  out: string
  /** Neutral names of element types to the platform's; asked for when left out. */
  typeNames?: Record<string, string> | undefined
  authorities?: string[] | undefined
  watch?: Watch
  timeout?: number
  signal?: AbortSignal
  onProgress?: (progress: PullProgress) => void
}

export type PullProgress =
  | { list: HeldList; count: number; requestsPerSecond: number }
  | { waiting: number; why: string }
  | { resumed: string }

export interface PullReport {
  /** Records by list. */
  counts: Record<HeldList, number>
  requests: number
  approximations: Approximation[]
}

/**
 * Reads an organization through `/v0` and writes it as a fixture document. Interrupted, it goes on where it stopped when
 * it is called again with the same options. real-platform: "mockademy pull"
 * @throws PlatformFailure 1 when it could not be read whole; 2 when an unfinished pull of something else is in the way.
 */
export async function pull(options: PullOptions): Promise<PullReport> {
  const { out, watch = machineWatch, onProgress = () => {}, signal } = options
  const unfinished = new UnfinishedPull(`${out}.pull`, fingerprintOf(options))
  const { progress } = unfinished
  if (unfinished.resumed) onProgress({ resumed: unfinished.folder })
  const records = new PulledRecords(unfinished)
  const client = await createPlatformClient({
    base: options.base,
    credential: options.apiKey,
    requestsPerSecond: options.requestsPerSecond,
    authorities: options.authorities,
    timeout: options.timeout,
    watch,
    signal,
    onWait: (waiting, why) => onProgress({ waiting, why }),
  })
  try {
    const approximations = new Approximations(progress.approximations)
    const save = () => {
      progress.approximations = approximations.list()
      unfinished.save()
    }
    if (!unfinished.resumed) progress.names = options.typeNames ?? (await askForTypeNames(client))
    const neutralType = createTypeReader(progress.names, (neutral, name) => {
      const told = /^[\w-]{1,64}$/.test(name) ? name : 'NAME'
      const flag = `--element-type-names ${neutral}=${told}`
      approximations.note(
        'elements',
        'type',
        `is treated as ${neutral} because of its properties; ${flag} makes it certain`,
      )
    })
    const conversion: Conversion = { approximations, keepPeople: options.keepPeople, neutralType }

    const began = watch.now()
    const told = (list: HeldList) => {
      const seconds = Math.max(watch.now() - began, 1) / 1000
      onProgress({ list, count: records.count(list), requestsPerSecond: client.sent() / seconds })
    }
    let number = 0
    for (const list of listsOf(records, conversion, options.courses)) {
      if (number++ < progress.finished) continue
      signal?.throwIfAborted()
      if (progress.cursor === null) progress.before = unfinished.files[list.held].size
      await readList(client, list, progress.cursor, {
        took(next) {
          progress.cursor = next
          if (next === null) progress.finished++
          save()
          told(list.held)
        },
        again() {
          records.forget(list.held, progress.before)
        },
      })
    }
    await writeWorldDocument({ ...options, typeNames: progress.names }, records, approximations)
    const counts = Object.fromEntries(heldLists.map((list) => [list, records.count(list)])) as PullReport['counts']
    unfinished.close()
    unfinished.remove()
    return { counts, requests: client.sent(), approximations: approximations.list() }
  } catch (error) {
    unfinished.close()
    // Nothing has been read that would be worth going on from.
    const isEmpty = progress.finished === 0 && progress.cursor === null
    if (isEmpty) unfinished.remove()
    if (signal?.aborted) {
      const rest = isEmpty ? 'nothing was read' : `run the same command again to continue from ${unfinished.folder}`
      throw new PlatformFailure(1, `interrupted; ${rest}`)
    }
    throw error
  } finally {
    client.close()
  }
}

/** What tells one pull from another: its pages must not be mixed with those of another key, address or choice. */
const fingerprintOf = ({ base, apiKey, courses, keepPeople, typeNames }: PullOptions) =>
  JSON.stringify([base, apiKey, courses, keepPeople, typeNames ?? null])

/** @param took told when a page is in: the cursor of the next one. @param again told that the list is read again. */
async function readList(
  client: PlatformClient,
  list: List,
  cursor: string | null,
  { took, again }: { took: (next: string | null) => void; again: () => void },
): Promise<void> {
  if (list.single) {
    await list.take(read(list.path, await client.request(list.path)) as Shown, client)
    took(null)
    return
  }
  try {
    for await (const { items, next } of pagesOf(client, list.path, list.query, cursor)) {
      for (const item of items) await list.take(item, client)
      took(next)
    }
  } catch (error) {
    if (!(error instanceof StaleCursor) || cursor === null) throw error
    again()
    await readList(client, list, null, { took, again })
  }
}
