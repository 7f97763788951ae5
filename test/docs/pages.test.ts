import { exec } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { startEmulator } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'
import { linksOf, nameOf, type Page, pages } from './pages.js'

const page = (file: string) => pages.find((each) => each.file === file) as Page

const links = pages.flatMap(linksOf)

describe('links', () => {
  test('lead to files that exist', () => {
    expect(links.length).toBeGreaterThan(100)
    const files = links.filter(({ target }) => !target.startsWith('#'))
    const missing = files.filter(
      ({ from, target }) => !existsSync(join(ROOT, dirname(from), target.split('#')[0] as string)),
    )
    expect(missing).toEqual([])
  })

  test('lead to anchors that exist', () => {
    const dead = links.filter(({ from, target }) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? from : posix.join(posix.dirname(from), path)
      const anchors = pages.find((each) => each.file === file)?.anchors
      return anchor !== undefined && anchors !== undefined && !anchors.has(anchor)
    })
    expect(dead).toEqual([])
  })
})

describe('blocks', () => {
  const known = ['sh', 'js', 'ts', 'json', 'jsonc', 'yaml', 'toml', 'text', 'console', 'diff']

  const all = pages.flatMap(({ blocks }) => blocks)
  /** Programs in any language: `npm run clients` runs some, test/languages and test/webhooks the others. */
  const programs = all.filter(({ file }) => file?.match(/^test\/(interop\/clients|languages|webhooks\/receivers)\//))

  test('are in a language that the tests know what to do with', () => {
    const unknown = all.filter((block) => !known.includes(block.language) && !programs.includes(block))
    expect(unknown.map(nameOf)).toEqual([])
  })

  test('that show a program are that program', () => {
    expect(programs.length).toBeGreaterThan(20)
    for (const block of programs) {
      expect(readFileSync(join(ROOT, block.file as string), 'utf8'), nameOf(block)).toBe(block.code)
    }
  })

  test('that show a receiver of webhooks listen where dev looks for one, without PORT', () => {
    const receivers = programs.filter(({ file, code }) => file?.includes('/receivers/') && code.includes('PORT'))
    expect(receivers).toHaveLength(6)
    expect(receivers.filter(({ code }) => !code.includes('3000')).map(nameOf)).toEqual([])
  })

  test('that are not run are few, and say why', () => {
    const notRun = all.filter((block) => block.notRun !== undefined)
    expect(notRun.filter((block) => (block.notRun ?? '').length < 10)).toEqual([])
    expect(notRun.length).toBeLessThanOrEqual(12)
  })
})

describe('generated parts', () => {
  test('are what the tables say (run `npm run docs` when this fails)', async () => {
    const { stdout } = await promisify(exec)('npm run --silent build:reference && node .build/reference.js', {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
    })
    const parts = Object.entries(JSON.parse(stdout) as Record<string, string>)
    expect(parts).toHaveLength(6)
    for (const [file, part] of parts) {
      const { text } = page(file)
      const begin = text.indexOf('-->\n', text.indexOf('<!-- generated'))
      const generated = text.slice(begin + 4, text.indexOf('<!-- end of what is generated -->'))
      expect(generated.trim(), file).toBe(part)
    }
  })
})

describe('docs/faults.md', () => {
  test('has every effect, each with an example that the emulator accepts', async () => {
    const { text } = page('docs/faults.md')
    const emulator = await startEmulator()
    const headings = { webhook: '## Webhooks', id_token: '## An invalid id_token' }
    const shown = new Set<string>()
    for (const [surface, heading] of Object.entries(headings)) {
      const chapter = text.slice(text.indexOf(heading)).split('\n## ')[1 - 1] as string
      const section = text.slice(text.indexOf(heading) + heading.length)
      const rows = section.slice(0, section.search(/\n## /)).matchAll(/^\| `([^`]+)` \|/gm)
      expect(chapter).toContain(heading)
      for (const [, written = ''] of rows) {
        const effect = written.startsWith('{') ? JSON.parse(written) : written
        await emulator.admin.addFault({ match: { surface }, effect } as Parameters<typeof emulator.admin.addFault>[0])
        for (const name of typeof effect === 'string' ? [effect] : Object.keys(effect)) shown.add(`${surface} ${name}`)
      }
    }
    for (const [, name = ''] of text.matchAll(/faults add (\w+)/g)) shown.add(`api ${name}`)
    for (const [, json = ''] of text.matchAll(/faults add '([^']+)'/g)) {
      const effect = JSON.parse(json)
      for (const [name, value] of Object.entries(effect)) {
        shown.add(`api ${name}`)
        if (typeof value === 'string') shown.add(`api ${name} ${value}`)
      }
    }
    await emulator.close()
    expect([...(await everyEffect())].filter((effect) => !shown.has(effect))).toEqual([])
  })
})

/** As the types of the package have them. */
async function everyEffect(): Promise<Set<string>> {
  const types = readFileSync(join(ROOT, 'docs', 'api.d.ts'), 'utf8').replace(/\s+\| /g, ' | ')
  const found = new Set<string>()
  for (const [, surface = '', names = '', parts = ''] of types.matchAll(
    /type (Api|Webhook|IdToken)Effect = (.*) \| (\w+)/g,
  )) {
    const name = surface === 'IdToken' ? 'id_token' : surface.toLowerCase()
    for (const [, effect] of names.matchAll(/'(\w+)'/g)) found.add(`${name} ${effect}`)
    const [, body = ''] = new RegExp(`interface ${parts} \\{([\\s\\S]*?)\\n\\}`).exec(types) ?? []
    for (const [, field] of body.matchAll(/^ {2}(\w+)\??:/gm)) found.add(`${name} ${field}`)
    for (const [, field, options = ''] of body.matchAll(/^ {2}(\w+)\??: (?:\| )?((?:'\w+'(?: \| )?)+)/gm)) {
      for (const [, option] of options.matchAll(/'(\w+)'/g)) found.add(`${name} ${field} ${option}`)
    }
  }
  for (const body of ['html', 'malformed_json']) found.add(`api body ${body}`)
  expect(found.size).toBeGreaterThan(40)
  return found
}

test('the images take little room: they are in the package', () => {
  const images = pages.flatMap(({ file, prose }) =>
    [...prose.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, target]) => join(ROOT, dirname(file), target as string)),
  )
  const total = [...new Set(images)].reduce((sum, image) => sum + statSync(image).size, 0)
  expect(total).toBeLessThan(250 * 1024)
})

test('the reference of dev has its own --url and --admin-token, and `validate` names a file that init writes', () => {
  const { text } = page('docs/commands.md')
  const [, dev = ''] = /\n## dev\n([\s\S]*?)\n## /.exec(text) ?? []
  for (const flag of ['--url', '--admin-token']) expect(dev).toContain(`| \`${flag}\` |`)
  expect(text).toContain('Example: `mockademy validate mockademy/world.json`')
})
