import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, onTestFinished } from 'vitest'

/** Makes a folder that is gone at the end of the test, or of the file: `temporaryFolder(afterAll)`. */
export function temporaryFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mockademy-')))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A test with a folder of its own, and the path of a store in it. */
export const test = base
  .extend('folder', ({ onTestFinished }) => temporaryFolder(onTestFinished))
  .extend('store', ({ folder }) => join(folder, 'store.json'))
