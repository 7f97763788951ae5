import { randomBytes, scryptSync } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { PlatformFailure } from './platform-client.js'

const FORMAT = 2

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

/** A line of the file: a record as the document has it, and where it belongs. */
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

/** The position of a line in the file, in bytes. */
type Known = Pick<Line, 'in' | 'position'> & { offset: number; length: number }

/** The progress of a pull. */
interface Progress {
  /** Number of lists that have been read to their end. */
  finished: number
  /** The cursor of the next page of the list that is being read; null at its beginning. */
  cursor: string | null
  /** Bytes of the file that are complete, and how many there were when the current list began. */
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
 * The records that a pull has read so far, in a folder beside its document, so that it continues after an interruption. They are on
 * disk, only their places in memory. People are invented before they get here, the key never does, and only the owner can
 * read it. A record that comes up twice (a page that moved under the reader) counts once.
 */
export class UnfinishedPull {
  readonly progress: Progress
  /** An earlier run had begun. */
  readonly resumed: boolean
  readonly #known = Object.fromEntries(heldLists.map((list) => [list, new Map()])) as Record<
    HeldList,
    Map<string, Known>
  >
  readonly #file: number
  readonly #identity: { salt: string; fingerprint: string }

  /**
   * @param folder is made when it does not exist.
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
      throw new PlatformFailure(
        2,
        `${folder} contains an unfinished pull with another address, key or flags. Run that command again to finish it, or delete the folder`,
      )
    }
    this.resumed = kept !== undefined
    this.progress = kept?.progress ?? { finished: 0, cursor: null, size: 0, before: 0, approximations: [], names: {} }
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    fs.chmodSync(folder, 0o700)
    fs.writeFileSync(join(folder, '.gitignore'), '*\n')
    this.#file = fs.openSync(join(folder, 'records.jsonl'), 'a+', 0o600)
    // A line beyond it was never finished.
    this.#truncate(this.progress.size)
    this.#index()
  }

  add(line: Line): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    fs.writeSync(this.#file, bytes)
    this.#note(line, this.progress.size, bytes.length)
    this.progress.size += bytes.length
  }

  has = (list: HeldList, id: string): boolean => this.#known[list].has(id)
  count = (list: HeldList): number => this.#known[list].size

  get(list: HeldList, id: string): Record<string, unknown> | undefined {
    const known = this.#known[list].get(id)
    if (!known) return undefined
    const bytes = Buffer.alloc(known.length)
    fs.readSync(this.#file, bytes, 0, known.length, known.offset)
    return (JSON.parse(bytes.toString()) as Line).record
  }

  /** Every id, the oldest first: lists come newest first. */
  ids = (list: HeldList): string[] => [...this.#known[list].keys()].reverse()

  /** The ids of each holder, by position, then the oldest first. */
  byHolder(list: HeldList): Map<string, string[]> {
    const held = new Map<string, string[]>()
    const known = (id: string) => this.#known[list].get(id) as Known
    for (const id of this.ids(list)) {
      const ids = held.get(known(id).in)
      if (ids) ids.push(id)
      else held.set(known(id).in, [id])
    }
    for (const ids of held.values()) ids.sort((one, other) => known(one).position - known(other).position)
    return held
  }

  /** Counts an approximation; values are never in it. @param id of the record, as the document has it. */
  note(resource: string, field: string, what: string, id?: string): void {
    const all = this.progress.approximations
    let one = all.find((other) => other.resource === resource && other.field === field && other.what === what)
    if (!one) {
      one = { resource, field, what, count: 0, ids: [] }
      all.push(one)
    }
    one.count++
    if (id !== undefined && one.ids.length < EXAMPLES && !one.ids.includes(id)) one.ids.push(id)
  }

  /** Forgets what came since the current list began. */
  forgetList(): void {
    this.#truncate(this.progress.before)
    for (const known of Object.values(this.#known)) {
      for (const [id, { offset }] of known) if (offset >= this.progress.before) known.delete(id)
    }
    this.progress.cursor = null
    this.save()
  }

  /** Writes down how far it has come, all or nothing. */
  save(): void {
    const kept = { format: FORMAT, ...this.#identity, progress: this.progress }
    const draft = join(this.folder, 'progress.json.new')
    fs.writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 })
    fs.renameSync(draft, join(this.folder, 'progress.json'))
  }

  close = (): void => fs.closeSync(this.#file)
  remove = (): void => fs.rmSync(this.folder, { recursive: true, force: true })

  #note({ list, id, in: holder, position }: Line, offset: number, length: number): void {
    this.#known[list].set(id, { in: holder, position, offset, length })
  }

  #truncate(size: number): void {
    this.progress.size = Math.min(size, fs.fstatSync(this.#file).size)
    fs.ftruncateSync(this.#file, this.progress.size)
  }

  #index(): void {
    const chunk = Buffer.alloc(256 * 1024)
    let rest = Buffer.alloc(0)
    let offset = 0
    for (let at = 0; at < this.progress.size; ) {
      const count = fs.readSync(this.#file, chunk, 0, chunk.length, at)
      at += count
      rest = Buffer.concat([rest, chunk.subarray(0, count)])
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        this.#note(JSON.parse(rest.subarray(0, end).toString()) as Line, offset, end + 1)
        offset += end + 1
        rest = rest.subarray(end + 1)
      }
    }
  }
}

function readKept(folder: string): z.output<typeof keptProgress> | undefined {
  const file = join(folder, 'progress.json')
  if (!fs.existsSync(file)) return undefined
  try {
    return keptProgress.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch {
    throw new PlatformFailure(2, `${file} cannot be read. Delete the folder to start again`)
  }
}
