import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RuleName, ruleNames, rules } from '../../../src/control/findings/rules.js'
import { catalog } from '../../../src/programs/audit/checks/catalog.js'
import { capitalized } from '../../../src/programs/reports/capitalized.js'
import { type SeededFault, seededFaults } from '../../../test/audit/seeded-faults.js'
import { checkReasons } from './check-reasons.js'
import { code } from './markdown.js'

/** The app that passes every check, of which each seeded fault is a copy with one change that fails its check. */
const APP = 'test/journeys/notes-app'

/** The lessons of `docs/checks.md`: every check of the audit, then every rule of findings. */
export const checksReference = (): string =>
  [...catalog.map(lessonOf), '## Findings', ...ruleNames.map(ruleLesson)].join('\n\n')

const heading = (id: string, title: string) => `### <a id="${id}"></a>${capitalized(title)}`

function lessonOf({ id, title, severity, source }: (typeof catalog)[number]): string {
  const reason = checkReasons[id]
  const fault = seededFaults.find(({ check }) => check === id)
  if (!reason || !fault) throw new Error(`${id} has no reason in check-reasons.ts or no seeded fault`)
  return [
    heading(id, title),
    `${severity} · ${source} · ${code(`mockademy audit --only ${id}`)}`,
    `${reason} Wrong: the app ${fault.what}.`,
    ['```diff', ...exampleOf(fault), '```'].join('\n'),
  ].join('\n\n')
}

function ruleLesson(rule: (typeof ruleNames)[number]): string {
  const { level, section, explanation, check } = rules[rule]
  const proof = check
    ? `Example and proof: [${check}](#${check}).`
    : `Proof: ${code('mockademy findings')} lists it no more.`
  const example = ruleExamples[rule]
  if (!check && !example) throw new Error(`${rule} has neither a check nor an example`)
  const diff = example ? [['```diff', ...example, '```'].join('\n')] : []
  return [`### <a id="${rule}"></a>${rule}`, `${level} · ${section}`, `${explanation} ${proof}`, ...diff].join('\n\n')
}

/** Wrong and right code for the rules that no check provokes. */
const ruleExamples: Partial<Record<RuleName, string[]>> = {
  wrong_kind_of_token: [
    "- get('/v0/elements', { token: session.access_token })",
    "+ get('/v0/elements', { token: installation.access_token })",
  ],
  polling: ['- setInterval(readCourses, 1_000)', '+ setInterval(readCourses, 900_000)'],
  unknown_fields: [
    "- patch('/v0/elements/intro', { title: 'Intro' })",
    "+ patch('/v0/elements/intro', { name: 'Intro' })",
  ],
  unused_scope: [
    '# manifest.json, of an app that reads courses alone',
    '- "permissions": ["courses:read", "members:read"]',
    '+ "permissions": ["courses:read"]',
  ],
}

/** The lines that differ between the app with the fault (`-`) and the app (`+`), by file. */
function exampleOf({ patches }: SeededFault): string[] {
  const files = [...new Set(patches.map(({ file }) => file))]
  return files.flatMap((file) => {
    const right = readFileSync(join(APP, file), 'utf8')
    const wrong = patches
      .filter((patch) => patch.file === file)
      .reduce((text, { find, replace }) => text.split(find).join(replace), right)
    return [`# ${file}`, ...hunksOf(wrong.split('\n'), right.split('\n'))]
  })
}

/** Returns a diff by the longest common subsequence of lines, without lines of imports. */
function hunksOf(wrong: string[], right: string[]): string[] {
  const lengths = Array.from({ length: wrong.length + 1 }, () => new Array<number>(right.length + 1).fill(0))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = wrong.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const row = lengths[i] as number[]
      row[j] = wrong[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < wrong.length || j < right.length) {
    if (i < wrong.length && wrong[i] === right[j]) {
      // A removal shows what follows, which is the right code.
      if (lines.at(-1)?.startsWith('-') && right[j]?.trim()) lines.push(` ${right[j]}`)
      ;[i, j] = [i + 1, j + 1]
    } else if (i < wrong.length && (j >= right.length || at(i + 1, j) >= at(i, j + 1))) lines.push(`-${wrong[i++]}`)
    else lines.push(`+${right[j++]}`)
  }
  const shown = lines.filter((line) => !/^.(import .*|\s*)$/.test(line))
  const indent = Math.min(...shown.map((line) => /^.(\s*)/.exec(line)?.[1]?.length ?? 0))
  return shown.map((line) => `${line[0]} ${line.slice(1 + indent).trimEnd()}`)
}
