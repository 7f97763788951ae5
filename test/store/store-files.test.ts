import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { JournalFile } from '../../src/foundation/store/journal-file.js'
import { nonWordSecretKey } from '../../src/foundation/store/non-word-secret.js'
import { StagingFolder } from '../../src/foundation/store/staging-folder.js'
import { realFile, setAside } from '../../src/foundation/store/store-folder.js'
import { StoreWriteError } from '../../src/foundation/store/store-write-error.js'
import { test as base } from '../harness/temporary-folder.js'

const test = base.extend<{
  journal: JournalFile
  staged: <T>(work: (staging: StagingFolder) => T) => T
}>({
  staged: async ({ store }, use) => {
    writeFileSync(`${store}.lock`, JSON.stringify({ id: 'me', pid: 1, host: 'box', started: null }))
    await use((work) => {
      using staging = new StagingFolder(store, 'me')
      return work(staging)
    })
  },
  journal: async ({ store, staged: _ }, use) => {
    const journal = new JournalFile(`${store}.journal`)
    await use(journal)
    journal.close()
  },
})

describe('the folder of a store', () => {
  test('is made, and one with the name of ours keeps what is in it from version control', ({ folder }) => {
    const file = join(folder, 'state', '.mockademy', 'store.json')
    expect(realFile(file)).toBe(file)
    expect(readFileSync(join(folder, 'state', '.mockademy', '.gitignore'), 'utf8')).toBe('*\n')
    expect(readdirSync(join(folder, 'state'))).toEqual(['.mockademy'])
    rmSync(join(folder, 'state', '.mockademy', '.gitignore'))
    expect(realFile(file, folder)).toBe(file)
    expect(readdirSync(join(folder, 'state', '.mockademy'))).toEqual([])
  })

  test('may have a name that begins with dots, and links that lead on within it', ({ folder }) => {
    const within = join(folder, 'project')
    mkdirSync(join(within, '..data'), { recursive: true })
    symlinkSync(join(within, '..data'), join(within, 'link'))
    expect(realFile(join(within, 'link', 'store.json'), within)).toBe(join(within, '..data', 'store.json'))
    symlinkSync(join(folder, 'project-2'), join(within, 'out'))
    mkdirSync(join(folder, 'project-2'))
    expect(() => realFile(join(within, 'out', 'store.json'), within)).toThrow(
      `a symbolic link on its path leads out of this folder, to ${join(folder, 'project-2')}. Remove the link, or name the store with --store.`,
    )
    symlinkSync(folder, join(within, 'up'))
    expect(() => realFile(join(within, 'up', 'store.json'), within)).toThrow(`leads out of this folder, to ${folder}.`)
    expect(realFile(join(within, 'out', 'store.json'))).toBe(join(folder, 'project-2', 'store.json'))
  })

  test.for(['lock', 'journal'])('has no link in the place of the %s', (part, { store }) => {
    symlinkSync(`${store}.other`, `${store}.${part}`)
    expect(() => realFile(store)).toThrow(
      `The store ${store} is refused: ${store}.${part} is a symbolic link. Remove it.`,
    )
  })

  test.skipIf(process.platform === 'win32')('is no pipe, which would wait for ever', ({ store }) => {
    for (const part of [store, `${store}.journal`]) {
      execFileSync('mkfifo', [part])
      expect(() => realFile(store)).toThrow(`The store ${store} is refused: ${part} is not a regular file. Remove it.`)
      rmSync(part)
    }
  })

  test('cannot be reached by links that lead round', ({ store }) => {
    symlinkSync(`${store}.other`, store)
    symlinkSync(store, `${store}.other`)
    expect(() => realFile(store)).toThrow(`${store}: too many symbolic links`)
  })
})

test('what is set aside gets the first free number, of both of its files', ({ folder, store }) => {
  setAside(store)
  expect(readdirSync(folder)).toEqual([])
  writeFileSync(`${store}.journal`, 'lines')
  setAside(store)
  writeFileSync(store, 'world')
  setAside(store)
  rmSync(`${store}.journal`)
  setAside(store)
  expect(readdirSync(folder).toSorted()).toEqual(
    ['', '.old-1.journal', '.old-2', '.old-2.journal', '.old-3'].map((end) => `store.json${end}`),
  )
  expect(readFileSync(`${store}.old-3`, 'utf8')).toBe('world')
  expect(readFileSync(`${store}.old-1.journal`, 'utf8')).toBe('lines')
})

describe('a journal', () => {
  const confirm = () => {}
  const contentOf = ({ path }: JournalFile) => readFileSync(path, 'utf8')

  test('has lines appended, whose first ones are dropped; one that is not confirmed is cut off', ({
    folder,
    journal,
    staged,
  }) => {
    expect(journal.isOpen).toBe(false)
    expect(() => journal.append(Buffer.from('x\n'), confirm)).toThrow(`${journal.path} is closed`)
    staged((staging) => journal.open(0, staging))
    expect([journal.isOpen, journal.size, contentOf(journal)]).toEqual([true, 0, ''])
    for (const line of ['one\n', 'two\n', 'three\n']) journal.append(Buffer.from(line), confirm)
    for (const [error, message] of [
      [new StoreWriteError('lost'), 'lost'],
      [new Error('full'), `${journal.path}: full`],
    ] as const) {
      const append = () =>
        journal.append(Buffer.from('four\n'), () => {
          expect(contentOf(journal)).toBe('one\ntwo\nthree\nfour\n')
          throw error
        })
      expect(append).toThrow(new StoreWriteError(message))
      expect(append).toThrow(StoreWriteError)
    }
    expect([journal.size, contentOf(journal)]).toEqual([14, 'one\ntwo\nthree\n'])
    staged((staging) => journal.dropFirst(8, staging))
    journal.append(Buffer.from('five\n'), confirm)
    expect([journal.size, contentOf(journal)]).toEqual([11, 'three\nfive\n'])
    expect(statSync(journal.path).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
    journal.close()
    expect(journal.isOpen).toBe(false)
    staged((staging) => journal.dropFirst(1, staging))
    expect(contentOf(journal)).toBe('three\nfive\n')
    expect(readdirSync(folder).toSorted()).toEqual(['store.json.journal', 'store.json.lock'])
  })

  test('that is there is gone on with from its whole lines, for its owner alone', ({ journal, staged }) => {
    writeFileSync(journal.path, 'one\ntorn', { mode: 0o644 })
    staged((staging) => journal.open(4, staging))
    journal.append(Buffer.from('two\n'), confirm)
    expect([journal.size, contentOf(journal)]).toEqual([8, 'one\ntwo\n'])
    expect(statSync(journal.path).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
  })

  test('is not put in the place of that of another owner', ({ journal, staged, store }) => {
    writeFileSync(journal.path, 'theirs\n')
    const open = () =>
      staged((staging) => {
        writeFileSync(`${store}.lock`, JSON.stringify({ id: 'they', pid: 1, host: 'box', started: null }))
        journal.open(0, staging)
      })
    expect(open).toThrow('another process has taken over')
    expect(journal.isOpen).toBe(false)
    expect(contentOf(journal)).toBe('theirs\n')
  })

  test('is gone when it was deleted, or replaced by one that differs', ({ journal, staged }) => {
    expect(journal.isGone()).toBe(false)
    staged((staging) => journal.open(0, staging))
    journal.append(Buffer.from('one\n'), () => expect(journal.isGone()).toBe(false))
    expect(journal.isGone()).toBe(false)
    writeFileSync(`${journal.path}.other`, 'two\n')
    rmSync(journal.path)
    expect(journal.isGone()).toBe(true)
    // Some file systems give the same file another number.
    writeFileSync(journal.path, 'two\n')
    expect(journal.isGone()).toBe(false)
    writeFileSync(journal.path, 'three\n')
    expect(journal.isGone()).toBe(true)
    journal.close()
    expect(journal.isGone()).toBe(false)
    expect(existsSync(journal.path)).toBe(true)
  })
})

test.for([
  ['', null],
  ['one-word_1', null],
  ['a secret of plain words', 'all'],
  ['12345678 and more', 'all'],
  ['s3cret-word and s3cret', 's3cret-word'],
  ['s3cret and s3cret-word', 's3cret-word'],
  ['abc12 !', 'all'],
  ['abc123 !', 'abc123'],
  ['1-23456!', '1-23456'],
  ['Äs3cret', 's3cret'],
] as const)('the secret %j is found by %j', ([secret, key]) => {
  expect(nonWordSecretKey(secret)).toBe(key)
})
