import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from '../../../control/start/launch.js'
import { unlessThrows } from '../../../foundation/schema/unless-throws.js'
import { lifeOf, type Owner, ownerIn, selfAs, sharesPids } from '../../../foundation/store/owner.js'

/** Readable and writable by this user only, so that nobody else can choose the process to stop. */
const FOLDER = join(tmpdir(), `mockademy-${process.getuid?.() ?? 'run'}`)

const fileOf = (url: string) => join(FOLDER, `${new URL(url).port}.json`)

/** Returns the process of this machine that serves `url`; undefined when it is unknown. */
export function processAt(url: string): Owner | undefined {
  if (!/^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname)) return undefined
  const owner = unlessThrows(() => (isOwn() ? ownerIn(fs.readFileSync(fileOf(url), 'utf8')) : undefined))
  // The file may be that of a killed process whose port another one has now.
  return owner && sharesPids(owner) && lifeOf(owner) !== 'gone' ? owner : undefined
}

/**
 * Writes a PID file for each emulator, for `stop --url`: a lock of a store is found in one folder only.
 * @returns a function that deletes them.
 */
export function writePidFile(emulators: Running[]): () => void {
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
