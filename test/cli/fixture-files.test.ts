import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { oneProcessTest as test } from '../harness/command-line.js'
import { send } from '../harness/emulator-test.js'

const world = (slug: string) => JSON.stringify({ organizations: [{ slug, name: slug, api_key: `key_${slug}` }] })

describe('MOCKADEMY_FIXTURES', () => {
  test('names the files that start begins with, separated by commas', async ({ start, folder }) => {
    for (const name of ['one', 'two']) await writeFile(join(folder, `${name}.json`), world(name))
    const { url } = await start(['--port', '0'], { env: { MOCKADEMY_FIXTURES: 'one.json, two.json' } })
    const { body } = await send(`${url}/_admin/organizations`)
    expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual(['one', 'two'])
  })

  test('is read by exec, too, goes after --fixtures, and is none when it is empty', async ({ run, folder }) => {
    for (const name of ['one', 'two']) await writeFile(join(folder, `${name}.json`), world(name))
    const key = async (flags: string[], MOCKADEMY_FIXTURES: string) => {
      const print = ['--', process.execPath, '-p', 'process.env.PLATFORM_API_KEY']
      return (await run(['exec', ...flags, ...print], { env: { MOCKADEMY_FIXTURES } })).stdout.trim()
    }
    expect(await key([], 'one.json')).toBe('key_one')
    expect(await key(['--fixtures', 'two.json'], 'one.json')).toBe('key_two')
    expect(await key([], '')).toBe('key_acme')
  })

  test('ends the start with status 2 at once where a file is larger than can be read', async ({ run, folder }) => {
    const file = join(folder, 'large.json')
    await writeFile(file, '')
    await truncate(file, 512 * 1024 * 1024)
    expect(await run(['start', '--port', '0', '--store', 'memory', '--fixtures', file])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('large.json: is larger than 512 MB'),
    })
  })

  test('ends the start with status 2 where a file is missing', async ({ run }) => {
    expect(await run(['--port', '0'], { env: { MOCKADEMY_FIXTURES: 'missing.json' } })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('missing.json: there is no such file'),
    })
    expect(await run(['--port', '0', '--fixtures', ''])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('\n  the path of a file is empty\n'),
    })
  })
})

test('files may begin with a byte order mark, which editors on Windows write', async ({ run, start, folder }) => {
  const files = {
    'mockademy.json': '{ "fixtures": ["one.json"] }',
    'one.json': world('one'),
    'two.json': world('two'),
    'mockademy.audit.json': '{ "app": "nobody" }',
    'story.json': '{ "steps": [{ "reset": {} }] }',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), `\uFEFF${text}`)
  const { url } = await start(['--port', '0', '--store', 'memory'])
  const env = { MOCKADEMY_URL: url }
  expect((await run(['organizations', 'list'], { env })).stdout).toContain('one')
  expect(await run(['state', 'add', 'two.json'], { env })).toMatchObject({ status: 0, stderr: '' })
  expect(await run(['scenario', 'run', '--dry-run', 'story.json'], { env })).toMatchObject({ status: 0, stderr: '' })
  expect(await run(['audit'], { env })).toMatchObject({ status: 2, stderr: expect.stringContaining('"nobody"') })
})
