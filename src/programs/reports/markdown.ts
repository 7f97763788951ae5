import type { Fact } from './report.js'

/** A report for people: a page for a pull request or a wiki. HTML, links and images in its texts are escaped. */
export interface Page {
  title: string
  summary: string
  sections: Section[]
}

export interface Table {
  heads: readonly string[]
  rows: readonly (readonly string[])[]
}

export interface Section {
  title?: string
  text?: string
  table?: Table
  code?: { language: string; text: string }
  facts?: Fact[]
  list?: string[]
}

export const markdownPage = ({ title, summary, sections }: Page): string =>
  [`# ${title}`, '', summary, '', ...sections.flatMap(sectionLines)].join('\n')

function sectionLines({ title, text, table, code, facts = [], list = [] }: Section): string[] {
  const blocks = [
    title === undefined ? [] : [`## ${shown(title)}`],
    text === undefined ? [] : [shown(text)],
    table ? markdownTable(table.heads, shownRows(table)) : [],
    code ? fenced(code.text, code.language) : [],
    ...facts.flatMap(({ label, text, isCode }) => (isCode ? [[`${label}:`], fenced(text)] : [])),
    facts.flatMap(({ label, text, isCode }) =>
      isCode ? [] : [`- **${label}:** ${shown(text).replaceAll('\n', '\n  - ')}`],
    ),
    list.map((item) => `- ${shown(item)}`),
  ]
  return blocks.flatMap((lines) => (lines.length > 0 ? [...lines, ''] : []))
}

/** Returns a block that no text inside of it can end. */
function fenced(text: string, language = ''): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, text, fence]
}

export const markdownTable = (heads: Table['heads'], rows: Table['rows']): string[] =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cellOf).join(' | ')} |`)

const shownRows = ({ rows }: Table) => rows.map((cells) => cells.map(shown))

/** Text in a cell: one line, its bars escaped. */
const cellOf = (text: string) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')

const codeSpan = /((?<!`)`[^`\n]+`(?!`))/

/** Escapes HTML, links and images outside of code spans: a text may quote an app. */
const shown = (text: string) =>
  text
    .split(codeSpan)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\<[]/g, '\\$&')))
    .join('')
