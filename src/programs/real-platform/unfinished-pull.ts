import { randomBytes, scryptSync } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { lockStore } from '../../foundation/store/lock.js'
import { StartError } from '../../foundation/store/start-error.js'
import { PlatformFailure } from './platform-client.js'

const FORMAT = 3

export const heldLists = ['courses', 'modules', 'elements', 'members', 'course_members', 'activities'] as const
export type HeldList = (typeof heldLists)[number]

/** Something that the document could not hold as the platform has it. */
export interface Approximation {
  /** The list it is in: `elements`. */
  resource: string
  /** The field, without indexes of arrays: `properties.questions.type`. Empty: the whole resource. */
  field: string
  /** The approximation: `is not known; left out`. */
  what: string
  count: number
  /** Ids of the first few. */
  ids: string[]
}

const EXAMPLES = 3
const PROGRESS = 'progress.json'
const RECORDS = 'records.jsonl'

/** A record as the document has it, and where it belongs: a line of the file. */
export interface Line {
  list: HeldList
  id: string
  /** The id of what holds it: a module's course, an element's module, an activity's element; empty otherwise. */
  in: string
  /** Among those that the same thing holds. */
  position: number
  /** The record, without what it holds itself. */
  record: Record<string, unknown>
}

/** The progress of a pull. */
interface Progress {
  /** Number of lists that have been read to their end. */
  finished: number
  /** The cursor of the next page of the list that is being read; null at its beginning. */
  cursor: string | null
  /** Lines of the file that are complete, and how many there were when the current list began. */
  size: number
  before: number
  approximations: Approximation[]
  /** The platform's names of element types, by neutral name. */
  names: Record<string, string>
}

const keptProgress = z.object({
  format: z.literal(FORMAT),
  salt: z.string(),
  /** A hash of address, key and flags, so that no two pulls are mixed. */
  fingerprint: z.string(),
  progress: z.custom<Progress>((value) => typeof value === 'object' && value !== null),
})

/**
 * The records that a pull has read so far, kept in a folder beside its document, so that it continues after an interruption.
 * People are invented before they get here, the key never does, and only the owner can read it. A record that comes up
 * twice (a page that moved under the reader) counts once.
 */
export class UnfinishedPull {
  readonly progress: Progress
  /** An earlier run had begun. */
  readonly resumed: boolean
  readonly #identity: { salt: string; fingerprint: string }
  readonly #lists = Object.fromEntries(heldLists.map((list) => [list, new Map()])) as {
    [list in HeldList]: Map<string, Line>
  }
  /** In the order in which they were read; the file has the first `progress.size` of them. */
  readonly #lines: Line[] = []

  /**
   * @param folder one that is locked.
   * @param secrets what tells this pull from another one: address, key, flags.
   * @throws PlatformFailure 2 when the folder holds another pull, or something that cannot be read.
   */
  constructor(
    readonly folder: string,
    secrets: string,
  ) {
    const kept = readKept(folder)
    const salt = kept?.salt ?? randomBytes(16).toString('hex')
    this.#identity = { salt, fingerprint: scryptSync(secrets, salt, 32).toString('hex') }
    if (kept && kept.fingerprint !== this.#identity.fingerprint) {
      const way = 'Run that command again to finish it, or delete the folder'
      throw new PlatformFailure(2, `${folder} contains an unfinished pull with another address, key or flags. ${way}`)
    }
    this.resumed = kept !== undefined
    this.progress = kept?.progress ?? { finished: 0, cursor: null, size: 0, before: 0, approximations: [], names: {} }
    fs.writeFileSync(join(folder, '.gitignore'), '*\n')
    for (const line of kept?.lines ?? []) this.add(line)
    this.#replace(RECORDS, this.#lines.map(textOf).join(''))
  }

  add(line: Line): void {
    this.#lists[line.list].set(line.id, line)
    this.#lines.push(line)
  }

  has = (list: HeldList, id: string): boolean => this.#lists[list].has(id)
  count = (list: HeldList): number => this.#lists[list].size
  get = (list: HeldList, id: string): Line['record'] | undefined => this.#lists[list].get(id)?.record

  /** Every line of a list, the oldest first: lists come newest first. */
  lines = (list: HeldList): Line[] => [...this.#lists[list].values()].reverse()

  /** The lines of each holder, by position, then the oldest first. */
  byHolder(list: HeldList): Map<string, Line[]> {
    const held = new Map<string, Line[]>()
    for (const line of this.lines(list).sort((one, other) => one.position - other.position)) {
      const lines = held.get(line.in)
      if (lines) lines.push(line)
      else held.set(line.in, [line])
    }
    return held
  }

  /** Counts an approximation; values are never in it. @param id of the record, as the document has it. */
  note(resource: string, field: string, what: string, id?: string): void {
    const all = this.progress.approximations
    const known = all.find((one) => one.resource === resource && one.field === field && one.what === what)
    const one = known ?? { resource, field, what, count: 0, ids: [] }
    if (!known) all.push(one)
    one.count++
    if (id !== undefined && one.ids.length < EXAMPLES && !one.ids.includes(id)) one.ids.push(id)
  }

  /** Forgets what came since the current list began. */
  forgetList(): void {
    for (const { list, id } of this.#lines.splice(this.progress.before)) this.#lists[list].delete(id)
    this.#replace(RECORDS, this.#lines.map(textOf).join(''))
    this.progress.size = this.#lines.length
    this.progress.cursor = null
    this.save()
  }

  /** Writes down how far it has come, all or nothing. */
  save(): void {
    const fresh = this.#lines.slice(this.progress.size)
    fs.appendFileSync(join(this.folder, RECORDS), fresh.map(textOf).join(''))
    this.progress.size = this.#lines.length
    this.#replace(PROGRESS, JSON.stringify({ format: FORMAT, ...this.#identity, progress: this.progress }))
  }

  remove = (): void => fs.rmSync(this.folder, { recursive: true, force: true })

  #replace(name: string, text: string): void {
    const file = join(this.folder, name)
    fs.writeFileSync(`${file}.new`, text, { mode: 0o600 })
    fs.renameSync(`${file}.new`, file)
  }
}

/** Makes the folder of a pull, for one process at a time. @returns what unlocks it. @throws PlatformFailure 2 while another pull writes there. */
export async function lockFolder(folder: string): Promise<() => void> {
  fs.mkdirSync(folder, { recursive: true })
  fs.chmodSync(folder, 0o700)
  const { unlock } = await lockStore(join(folder, RECORDS)).catch((error: unknown) => {
    throw error instanceof StartError
      ? new PlatformFailure(2, `another pull is writing to ${folder}; wait for its end`)
      : error
  })
  return unlock
}

const textOf = (line: Line) => `${JSON.stringify(line)}\n`

function readKept(folder: string) {
  const file = join(folder, PROGRESS)
  if (!fs.existsSync(file)) return undefined
  try {
    const kept = keptProgress.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
    // A line beyond them was never finished.
    const texts = fs.readFileSync(join(folder, RECORDS), 'utf8').split('\n').slice(0, kept.progress.size)
    return { ...kept, lines: texts.map((text): Line => JSON.parse(text)) }
  } catch {
    throw new PlatformFailure(2, `${file} cannot be read. Delete the folder to start again`)
  }
}
