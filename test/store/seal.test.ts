import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { test as base } from '../harness/temporary-folder.js'

const courses = [{ name: 'Course', modules: [{ name: 'Module', elements: [{ type: 'CONTENT', name: 'Page' }] }] }]
const fixtures = { organizations: [{ slug: 'acme', name: 'Acme Corp', courses }] }

const test = base.extend<{ store: string }>({
  store: async ({ store }, use) => {
    await (await startEmulator({ store, fixtures })).close()
    await use(store)
  },
})

/** The seal that a store's first line has, and the one that the rest of its bytes should have. */
function sealOf(store: string): { said: string | undefined; due: string } {
  const text = readFileSync(store, 'utf8')
  const [first = ''] = text.split('\n', 2)
  const line = text.slice(first.length + 1).split('\n', 1)[0] as string
  const rest = text.slice(first.length + line.length + 2)
  return {
    said: /^ {2}"sealed": "([0-9a-f]{64})",$/.exec(line)?.[1],
    due: createHash('sha256').update(rest).digest('hex'),
  }
}

async function opened(store: string): Promise<{ name: string; notes: string[] }> {
  const emulator = await startEmulator({ store })
  const { name } = await emulator.admin.getOrganization('acme')
  await emulator.close()
  return { name, notes: emulator.notes }
}

const edited = expect.stringContaining('store.json was edited: its checksum')

describe('design: the seal of a store', () => {
  test('is the SHA-256 of all that comes after it, after a change and a restart too', async ({ store }) => {
    expect(sealOf(store)).toEqual({ said: sealOf(store).due, due: expect.any(String) })
    const emulator = await startEmulator({ store })
    await emulator.admin.createOrganization({ slug: 'globex', name: 'Globex' })
    await emulator.close()
    expect(readFileSync(store, 'utf8')).toContain('globex')
    expect(sealOf(store)).toEqual({ said: sealOf(store).due, due: expect.any(String) })
  })

  test('that is broken has the records checked; sound ones are taken as they are now, with a note', async ({
    store,
  }) => {
    const text = readFileSync(store, 'utf8')
    writeFileSync(store, text.replace('"Acme Corp"', '"Acme Inc"'))
    expect(await opened(store)).toEqual({ name: 'Acme Inc', notes: [edited] })
    writeFileSync(store, text.replace('"name":"Acme Corp"', '"name":7'))
    await expect(startEmulator({ store })).rejects.toThrow(
      /collections\.organizations\.0\.name must be a string, not a number/,
    )
    writeFileSync(store, text.replace('"type":"CONTENT"', '"type":"ROLEPLAY"'))
    await expect(startEmulator({ store })).rejects.toMatchObject({
      exitStatus: 2,
      message: expect.stringMatching(/store\.json.*line \d+.*collections\.elements\.0\.type must be one of CONTENT, /s),
    })
  })

  test('that is not there is broken', async ({ store }) => {
    writeFileSync(store, readFileSync(store, 'utf8').replace(/ {2}"sealed": .*\n/, ''))
    expect(await opened(store)).toEqual({ name: 'Acme Corp', notes: [edited] })
    // An emulator that writes seals the file again.
    const emulator = await startEmulator({ store })
    await emulator.admin.createOrganization({ slug: 'globex', name: 'Globex' })
    await emulator.close()
    expect(await opened(store)).toEqual({ name: 'Acme Corp', notes: [] })
  })

  test('of another version says nothing', async ({ store }) => {
    const rest = readFileSync(store, 'utf8')
      .replace(/^\{\n {2}"sealed": .*\n/, '')
      .replace(/"version": ".*?"/, '"version": "9.9.9"')
    const seal = (text: string) => {
      const hash = createHash('sha256').update(text).digest('hex')
      writeFileSync(store, `{\n  "sealed": "${hash}",\n${text}`)
    }
    seal(rest.replace('"name":"Acme Corp"', '"name":7'))
    await expect(startEmulator({ store })).rejects.toThrow(/Mockademy 9\.9\.9 wrote it/)
    seal(rest)
    expect(await opened(store)).toEqual({ name: 'Acme Corp', notes: [] })
  })

  test('is trusted: what it covers is not looked at again', async ({ store }) => {
    const rest = readFileSync(store, 'utf8')
      .replace(/^\{\n {2}"sealed": .*\n/, '')
      .replace('"Acme Corp"', '"Acme Inc","colour":"red"')
    expect(rest).toContain('colour')
    const seal = createHash('sha256').update(rest).digest('hex')
    writeFileSync(store, `{\n  "sealed": "${seal}",\n${rest}`)
    expect(await opened(store)).toEqual({ name: 'Acme Inc', notes: [] })
  })

  /** Changes what a seal covers, and seals it again. */
  function resealed(store: string, change: (text: string) => string): void {
    const rest = change(readFileSync(store, 'utf8').replace(/^\{\n {2}"sealed": .*\n/, ''))
    const seal = createHash('sha256').update(rest).digest('hex')
    writeFileSync(store, `{\n  "sealed": "${seal}",\n${rest}`)
  }

  test('of another format says nothing, though the version is this one', async ({ store }) => {
    resealed(store, (text) => text.replace('"mockademy": 3', '"mockademy": 4'))
    await expect(startEmulator({ store })).rejects.toThrow('it is of format 4')
  })

  test('of another layout has the file brought up to date', async ({ store }) => {
    resealed(store, (text) => text.replace('"collections": {', '"collections":   {'))
    const notes = [expect.stringContaining('was written by an earlier release; it has been upgraded')]
    expect(await opened(store)).toEqual({ name: 'Acme Corp', notes })
    expect(await opened(store)).toEqual({ name: 'Acme Corp', notes: [] })
  })
})
