import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from '../../../control/start/launch.js'
import { lifeOf, type Owner, ownerIn, selfAs, sharesPids } from '../../../foundation/store/owner.js'

/** A folder of this user alone, so that nobody else can name a process to stop. */
const FOLDER = join(tmpdir(), `mockademy-${process.getuid?.() ?? 'run'}`)

const fileOf = (url: string) => join(FOLDER, `${new URL(url).port}.json`)

/** Returns the process of this machine that serves `url`; undefined when it is unknown. */
export function processAt(url: string): Owner | undefined {
  if (!/^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname)) return undefined
  try {
    const owner = isOwn() ? ownerIn(fs.readFileSync(fileOf(url), 'utf8')) : undefined
    // A process that was killed, perhaps by a reboot, has left its file to whatever serves the port now.
    return owner && sharesPids(owner) && lifeOf(owner) !== 'gone' ? owner : undefined
  } catch {
    return undefined
  }
}

/**
 * Writes down the process of emulators, for `stop --url`: a lock of a store is found in one folder only.
 * @returns a function that removes what was written.
 */
export function recordProcess(emulators: Running[]): () => void {
  const files = emulators.map(({ url }) => fileOf(url))
  try {
    if (files.length > 0) fs.mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
    if (isOwn()) for (const file of files) fs.writeFileSync(file, JSON.stringify(selfAs('running')), { mode: 0o600 })
  } catch {
    // On a read-only file system, `stop` says that it cannot find the process.
  }
  return () => {
    for (const file of files) fs.rmSync(file, { force: true })
  }
}

function isOwn(): boolean {
  const { uid, mode } = fs.lstatSync(FOLDER)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o170077) === 0o040000)
}
