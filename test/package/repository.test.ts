import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../harness/command-line.js'

const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const manifest = JSON.parse(await read('package.json'))

describe('the repository', () => {
  const address = manifest.repository.url.replace(/^git\+|\.git$/g, '')

  test('is named in package.json, three times the same', () => {
    expect(manifest).toMatchObject({ bugs: { url: `${address}/issues` }, homepage: `${address}#readme` })
  })

  test('is named nowhere else, so that a fork has one place to change', async () => {
    const grep = ['grep', '--files-with-matches', '--fixed-strings', address.replace('https://', '')]
    const { stdout } = await promisify(execFile)('git', grep, { cwd: ROOT })
    expect(stdout).toBe('package.json\n')
  })

  test('has text files with LF on every system', async () => {
    expect(await read('.gitattributes')).toMatch(/^\* text=auto eol=lf$/m)
    expect(await read('.editorconfig')).toMatch(/^end_of_line = lf$/m)
  })
})

describe('the changelog', () => {
  test('begins with what is unreleased, then has a dated section for each version, the newest first', async () => {
    const changelog = await read('CHANGELOG.md')
    const headings = [...changelog.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading as string)
    expect(headings[0]).toBe('[Unreleased]')
    const released = headings.slice(1).map((heading) => /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/.exec(heading))
    expect(released.map((match) => match?.[0])).not.toContain(undefined)
    expect(released[0]?.[1]).toBe(manifest.version)
    const dates = released.map((match) => match?.[2] as string)
    expect(dates).toEqual(dates.toSorted().reverse())
  })

  test('sorts changes by the kinds of Keep a Changelog', async () => {
    const kinds = [...(await read('CHANGELOG.md')).matchAll(/^### (.*)$/gm)].map(([, kind]) => kind)
    expect(kinds.filter((kind) => !/^(Added|Changed|Deprecated|Removed|Fixed|Security)$/.test(kind as string))).toEqual(
      [],
    )
  })
})

test('every issue form asks for what is needed to answer it', async () => {
  const folder = '.github/ISSUE_TEMPLATE'
  const forms = (await readdir(join(ROOT, folder))).filter((name) => name !== 'config.yml')
  expect(forms).toHaveLength(3)
  for (const name of forms) {
    const { body, ...form } = parse(await read(`${folder}/${name}`))
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    expect(body[0].validations, name).toEqual({ required: true })
    const ids = body.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  }
})
