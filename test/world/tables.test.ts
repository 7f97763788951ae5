import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ruleNames } from '../../src/control/findings/rules.js'
import { settingNames } from '../../src/emulator/world/setting-table.js'
import { ROOT } from '../harness/command-line.js'

/** The code of a folder but for files with these names: its comments prove nothing. */
const codeIn = (folder: string, without: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !without.test(name))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
    .join('\n')

test('every rule of findings is reported by a judge', () => {
  const code = codeIn('src/control/findings', /rules\.ts$/)
  expect(ruleNames.filter((name) => !new RegExp(`\\breport\\(\\s*'${name}'`).test(code))).toEqual([])
})

test('every setting is read where it has its effect', () => {
  const code = codeIn('src', /^programs|setting|schema/)
  // A name of several words means the setting wherever it stands; `port` or `now` only when it is taken from settings.
  const isRead = (name: string) =>
    name.includes('_')
      ? new RegExp(`\\b${name}\\b`).test(code)
      : new RegExp(`\\bsettings\\??\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}(: | = )[^\\n]*[sS]ettings`).test(code)
  expect(settingNames.filter((name) => !isRead(name))).toEqual([])
})
