import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ruleNames } from '../../src/control/findings/rules.js'
import { catalog } from '../../src/programs/audit/checks/catalog.js'
import { seededFaults } from '../audit/seeded-faults.js'
import { ROOT } from '../harness/command-line.js'

const page = readFileSync(join(ROOT, 'docs/checks.md'), 'utf8')
const lessons = new Map(
  page
    .split(/^(?=### )/m)
    .slice(1)
    .map((text) => [/<a id="([^"]+)">/.exec(text)?.[1] ?? '', text]),
)

describe('docs/checks.md', () => {
  test('has a lesson for each check and each rule, under its id, and no other', () => {
    expect([...lessons.keys()].sort()).toEqual([...catalog.map(({ id }) => id), ...ruleNames].sort())
    // It is in the package.
    expect(page.length).toBeLessThan(56_000)
  })

  // The example app passes every check, and fails one with each of these faults: `npm run test:matrix` proves both.
  test.for(catalog.map(({ id }) => id))('%s: right is the example app, wrong is its seeded fault', (id) => {
    const lesson = lessons.get(id) ?? ''
    expect(lesson).toContain(`\`mockademy audit --only ${id}\``)
    const patches = seededFaults.find(({ check }) => check === id)?.patches ?? []
    const [, diff = ''] = /```diff\n([\s\S]*?)```/.exec(lesson) ?? []
    const files = diff.split(/^# (?=[\w-]+\.js$)/m).slice(1)
    expect(files.map((part) => part.split('\n')[0])).toEqual([...new Set(patches.map(({ file }) => file))])
    for (const part of files) {
      const [file = '', ...lines] = part.split('\n')
      const right = readFileSync(join(ROOT, 'test/journeys/notes-app', file), 'utf8')
      const wrong = patches
        .filter((patch) => patch.file === file)
        .reduce((text, { find, replace }) => text.replace(find, () => replace), right)
      expect(lines.some((line) => line.startsWith('-') || line.startsWith('+'))).toBe(true)
      for (const line of lines.filter((each) => each !== '')) {
        const trimmed = (text: string) => text.split('\n').map((each) => each.trim())
        const code = line.slice(2).trim()
        expect({ line, isThere: trimmed(line.startsWith('-') ? wrong : right).includes(code) }).toEqual({
          line,
          isThere: true,
        })
      }
    }
  })

  test('every lesson of a check shows right code', () => {
    const without = catalog.filter(
      ({ id }) => !/^[+ ] \S/m.test(/```diff\n([\s\S]*?)```/.exec(lessons.get(id) ?? '')?.[1] ?? ''),
    )
    expect(without.map(({ id }) => id)).toEqual([])
  })
})
