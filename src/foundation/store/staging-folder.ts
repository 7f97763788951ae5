import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { renewLock } from './lock-file.js'
import { StoreWriteError } from './store-write-error.js'

// A store is fenced against an owner that slept through a takeover and wakes at any step: no file of a store is
// created, truncated or deleted under its own name. It is renamed out of a staging folder, or into one.
// - An owner makes such a folder, and then asks whether the lock is still its own.
// - A successor that takes a lock over removes every staging folder, and then reads the store.
// So if the owner asked after the takeover, it learns of it; if it asked before, its folder has been removed and the
// rename fails, since both ends must exist.
// The folder is new, has a random name and only its owner may enter it, so nobody can plant a link in it.

/** A folder beside a store in which its owner makes files ready. Removed at the end of the block that makes it. */
export class StagingFolder implements Disposable {
  readonly #path: string

  /** @param owner the id in the store's lock. */
  constructor(
    readonly file: string,
    readonly owner: string,
  ) {
    this.#path = mkdtempSync(join(dirname(file), prefixOf(file)))
  }

  join(name: string): string {
    return join(this.#path, name)
  }

  /** Gives a file of this folder its place in the store. @throws StoreWriteError when another process has the store. */
  moveOut(name: string, target: string): void {
    this.#confirm()
    renameSync(this.join(name), target)
  }

  /** Takes a file of the store away. @throws StoreWriteError as above. */
  moveIn(source: string): void {
    this.#confirm()
    renameSync(source, this.join(basename(source)))
  }

  [Symbol.dispose](): void {
    rmSync(this.#path, { recursive: true, force: true })
  }

  #confirm(): void {
    const lost = renewLock(this.file, this.owner)
    if (lost) throw new StoreWriteError(lost)
  }
}

/** Removes the staging folders of every owner before: of one that was killed, or that sleeps. */
export function removeStagingFolders(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(prefixOf(file))) continue
    // An owner that sleeps may wake and put something in.
    rmSync(join(dirname(file), name), { recursive: true, force: true, maxRetries: 10 })
  }
}

const prefixOf = (file: string) => `.${basename(file)}.staging-`
