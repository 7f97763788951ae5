import { randomBytes, scryptSync } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Approximation } from './approximations.js'
import { LineFile } from './line-file.js'
import { PlatformFailure } from './platform-failure.js'

const FORMAT = 1

export const heldLists = ['courses', 'modules', 'elements', 'members', 'course_members', 'activities'] as const
export type HeldList = (typeof heldLists)[number]

/** How far a pull has come. */
export interface Progress {
  /** Lists read to their end. */
  finished: number
  /** Of the list that is being read: where to go on; null at its beginning. */
  cursor: string | null
  /** What the file of that list held before it, in bytes: a list that must be read again begins there. */
  before: number
  /** Bytes of each file that are whole. */
  sizes: Record<HeldList, number>
  approximations: Approximation[]
  /** Names of element types on the platform, by neutral name. */
  names: Record<string, string>
}

const keptProgress = z.object({
  format: z.literal(FORMAT),
  salt: z.string(),
  /** Of what is pulled and with which key, so that no two pulls are mixed; neither can be read from it. */
  fingerprint: z.string(),
  progress: z.custom<Progress>((value) => typeof value === 'object' && value !== null),
})

/**
 * What a pull has read so far, in a folder beside its document, so that it goes on after an interruption. People are made
 * up before they get here, the key never does, and nobody but the owner can read it. real-platform: "goes on where it stopped"
 */
export class UnfinishedPull {
  readonly files: Record<HeldList, LineFile>
  readonly progress: Progress
  /** Whether an earlier run had begun. */
  readonly resumed: boolean
  readonly #salt: string
  readonly #fingerprint: string

  /**
   * @param folder made when it is not there.
   * @param secrets what tells this pull from another one: where from, which key, what of it.
   * @throws PlatformFailure 2 when the folder holds another pull, or something that cannot be read.
   */
  constructor(
    readonly folder: string,
    secrets: string,
  ) {
    const kept = readKept(folder)
    this.#salt = kept?.salt ?? randomBytes(16).toString('hex')
    this.#fingerprint = fingerprintOf(secrets, this.#salt)
    if (kept && kept.fingerprint !== this.#fingerprint) {
      throw new PlatformFailure(
        2,
        `${folder} contains an unfinished pull with another address, key or flags. Run that command again to finish it, or delete the folder`,
      )
    }
    this.resumed = kept !== undefined
    this.progress = kept?.progress ?? {
      finished: 0,
      cursor: null,
      before: 0,
      sizes: { courses: 0, modules: 0, elements: 0, members: 0, course_members: 0, activities: 0 },
      approximations: [],
      names: {},
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    writeFileSync(join(folder, '.gitignore'), '*\n')
    const open = (list: HeldList) => new LineFile(join(folder, `${list}.jsonl`), this.progress.sizes[list])
    this.files = Object.fromEntries(heldLists.map((list) => [list, open(list)])) as Record<HeldList, LineFile>
  }

  /** Writes down how far it has come, all or nothing. */
  save(): void {
    for (const list of heldLists) this.progress.sizes[list] = this.files[list].size
    const kept = { format: FORMAT, salt: this.#salt, fingerprint: this.#fingerprint, progress: this.progress }
    const draft = join(this.folder, 'progress.json.new')
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 })
    renameSync(draft, join(this.folder, 'progress.json'))
  }

  close(): void {
    for (const file of Object.values(this.files)) file.close()
  }

  /** Nothing of it is left. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const fingerprintOf = (secrets: string, salt: string) => scryptSync(secrets, salt, 32).toString('hex')

function readKept(folder: string): z.output<typeof keptProgress> | undefined {
  const file = join(folder, 'progress.json')
  if (!existsSync(file)) return undefined
  try {
    return keptProgress.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new PlatformFailure(2, `${file} cannot be read. Delete the folder to start again`)
  }
}
