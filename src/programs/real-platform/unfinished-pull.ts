import { randomBytes, scryptSync } from 'node:crypto'
import * as fs from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lockStore } from '../../foundation/store/lock.js'
import { StartError } from '../../foundation/store/start-error.js'
import { PlatformFailure } from './platform-client.js'

const FORMAT = 4

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
const PAGES = 'pages.jsonl'
const IGNORED = '.gitignore'

/** A record as the document has it, and where it belongs. */
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

/** The additions of a page of a list: a line of the file. */
interface Page {
  /** The cursor of the next page; null on the last one of a list. */
  next: string | null
  lines: Line[]
  approximations: Approximation[]
  /** The platform's names of element types that are known by then, by neutral name. */
  names: Record<string, string>
}

/** The first line of the file: a hash of address, key and flags, so that no two pulls are mixed. */
interface Header {
  format: number
  salt: string
  fingerprint: string
}

/**
 * The records that a pull has read so far, kept in a folder beside its document, so that it continues after an interruption.
 * People are invented before they get here, the key never does, and only the owner can read it.
 */
export class UnfinishedPull {
  names: Page['names'] = {}
  /** The pages that have been read, also by an earlier run. */
  pages: Page[] = []
  /** The additions of the page that is being read. */
  #added: Pick<Page, 'lines' | 'approximations'> = { lines: [], approximations: [] }
  #lists = emptyLists()
  readonly #file: string
  readonly #header: Header

  /**
   * @param folder one that is locked.
   * @param secrets what tells this pull from another one: address, key, flags.
   * @throws PlatformFailure 2 when the folder holds another pull, or something that cannot be read.
   */
  constructor(
    readonly folder: string,
    secrets: string,
  ) {
    this.#file = join(folder, PAGES)
    const kept = readKept(this.#file)
    const salt = kept?.header.salt ?? randomBytes(16).toString('hex')
    this.#header = { format: FORMAT, salt, fingerprint: scryptSync(secrets, salt, 32).toString('hex') }
    if (kept && kept.header.fingerprint !== this.#header.fingerprint) {
      const way = 'Run that command again to finish it, or delete the folder'
      throw new PlatformFailure(2, `${folder} contains an unfinished pull with another address, key or flags. ${way}`)
    }
    fs.writeFileSync(join(folder, IGNORED), '*\n')
    this.#restore(kept?.pages ?? [])
  }

  add(line: Line): void {
    this.#lists[line.list].set(line.id, line)
    this.#added.lines.push(line)
  }

  has = (list: HeldList, id: string): boolean => this.#lists[list].has(id)
  count = (list: HeldList): number => this.#lists[list].size
  get = (list: HeldList, id: string): Line['record'] | undefined => this.#lists[list].get(id)?.record

  /** Every line of a list, the oldest first: lists come newest first. */
  lines = (list: HeldList): Line[] => [...this.#lists[list].values()].reverse()

  byHolder(list: HeldList): Map<string, Line[]> {
    const held = new Map<string, Line[]>()
    for (const line of this.lines(list).sort((one, other) => one.position - other.position)) {
      const lines = held.get(line.in)
      if (lines) lines.push(line)
      else held.set(line.in, [line])
    }
    return held
  }

  /** Notes an approximation; values are never in it. @param id of the record, as the document has it. */
  note(resource: string, field: string, what: string, id?: string): void {
    const ids = id === undefined ? [] : [id]
    this.#added.approximations.push({ resource, field, what, count: 1, ids })
  }

  /** Returns what has been noted, the same in many records as one. */
  approximations(): Approximation[] {
    const all = new Map<string, Approximation>()
    for (const one of [...this.pages, this.#added].flatMap(({ approximations }) => approximations)) {
      const key = JSON.stringify([one.resource, one.field, one.what])
      const { count, ids } = all.get(key) ?? { count: 0, ids: [] }
      all.set(key, { ...one, count: count + one.count, ids: [...new Set([...ids, ...one.ids])].slice(0, EXAMPLES) })
    }
    return [...all.values()]
  }

  endPage(next: string | null): void {
    const page = { next, ...this.#added, names: this.names }
    fs.appendFileSync(this.#file, textOf(page))
    this.pages.push(page)
    this.#added = { lines: [], approximations: [] }
  }

  forgetList(): void {
    this.#restore(this.pages.slice(0, this.pages.findLastIndex(({ next }) => next === null) + 1))
  }

  /** Removes its files, and the folder if that holds no others: someone may keep files there. */
  remove(): void {
    const isOwn = (name: string) => name.startsWith(PAGES) || name === IGNORED
    const names = fs.readdirSync(this.folder)
    const own = names.filter(isOwn)
    for (const name of own) fs.rmSync(join(this.folder, name), { recursive: true, force: true })
    if (own.length === names.length) fs.rmdirSync(this.folder)
  }

  #restore(pages: Page[]): void {
    this.pages = pages
    this.names = pages.at(-1)?.names ?? this.names
    this.#added = { lines: [], approximations: [] }
    this.#lists = emptyLists()
    for (const line of pages.flatMap(({ lines }) => lines)) this.#lists[line.list].set(line.id, line)
    fs.writeFileSync(`${this.#file}.new`, [this.#header, ...pages].map(textOf).join(''), { mode: 0o600 })
    fs.renameSync(`${this.#file}.new`, this.#file)
  }
}

const emptyLists = () =>
  Object.fromEntries(heldLists.map((list) => [list, new Map()])) as Record<HeldList, Map<string, Line>>

/** Makes the folder of a pull, for one process at a time. @returns what unlocks it. @throws PlatformFailure 2 while another pull writes there. */
export async function lockFolder(folder: string): Promise<() => void> {
  try {
    // Its own folder not with `recursive`, which tries for ever where nothing can be made, such as in /proc.
    await mkdir(dirname(folder), { recursive: true })
    if (!fs.existsSync(folder)) fs.mkdirSync(folder)
    if (!fs.statSync(folder).isDirectory()) throw new Error('it is not a folder; move it away')
    fs.chmodSync(folder, 0o700)
  } catch (error) {
    throw new PlatformFailure(2, `${folder} cannot be written: ${(error as Error).message}`)
  }
  const { unlock } = await lockStore(join(folder, PAGES)).catch((error: unknown) => {
    throw error instanceof StartError
      ? new PlatformFailure(2, `another pull is writing to ${folder}; wait for its end`)
      : error
  })
  return unlock
}

const textOf = (line: object) => `${JSON.stringify(line)}\n`

function readKept(file: string) {
  if (!fs.existsSync(file)) return undefined
  try {
    // A last line without an end is that of a page that was not written whole.
    const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1)
    const [header, ...pages] = lines.map((text) => JSON.parse(text)) as [Header, ...Page[]]
    if (header.format !== FORMAT) throw new Error('another format')
    return { header, pages }
  } catch {
    throw new PlatformFailure(2, `${file} cannot be read. Delete the folder to start again`)
  }
}
