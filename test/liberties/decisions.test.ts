import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { libertyTable } from '../../src/emulator/liberties/liberty-table.js'
import { ROOT } from '../harness/command-line.js'

const page = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8')
const bare = (text: string) => text.replaceAll('`', '')

/** Every row of the decisions: `§2 "list payload"`. */
const rows = page('decisions.md')
  .split(/^## <a id="s/m)
  .slice(1)
  .flatMap((chapter) =>
    [...chapter.matchAll(/^\| (.+?) \|/gm)]
      .map(([, name]) => name as string)
      .filter((name) => !/^(---|\|)|decision of the emulator/.test(name))
      .map((name) => `§${chapter[0]} "${bare(name)}"`),
  )

const [, stays = ''] = page('liberties.md').split('## Decisions without a liberty')
const staying = [...stays.matchAll(/§\d "[^"]+"/g)].map(([row]) => row)
const taken = Object.values(libertyTable).flatMap(({ open }) =>
  open.flatMap((source) => (source.startsWith('wire: ') ? [bare(source.slice('wire: '.length))] : [])),
)

describe('each decision', () => {
  test('has a liberty, or a reason why there is none', () => {
    expect(rows.length).toBeGreaterThan(80)
    expect(rows.filter((row) => !taken.includes(row) && !staying.includes(row))).toEqual([])
    expect(staying.filter((row) => taken.includes(row))).toEqual([])
  })

  test('that the table or the page names is there', () => {
    expect([...taken, ...staying].filter((row) => !rows.includes(row))).toEqual([])
  })
})
