import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../harness/command-line.js'

/** A fenced block of a page. */
export interface Block {
  page: string
  line: number
  language: string
  /** Word after the language; names the schema for checking JSON. */
  kind: string
  code: string
  /** Reason not to run it, from `<!-- not run: … -->` above it. */
  notRun: string | undefined
  /** The file that it is, when the line above names one. Such a block is part of a project that a test of its own runs. */
  file: string | undefined
  /** The block of `text` that follows it at once: what it prints. */
  output: string | undefined
}

export interface Page {
  file: string
  text: string
  /** The text without its blocks. */
  prose: string
  blocks: Block[]
  /** The anchors that can be linked to: of headings as GitHub makes them, and those that are written. */
  anchors: Set<string>
}

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', 'llms.txt'], {
  cwd: ROOT,
  encoding: 'utf8',
})

/** Every page of the repository that people read. */
export const pages: Page[] = tracked
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('.github/'))
  .map((file) => readPage(file, readFileSync(join(ROOT, file), 'utf8')))

interface Link {
  from: string
  target: string
}

/** Inline code is no link, and neither is an address elsewhere. */
export const linksOf = ({ file, prose }: Page): Link[] =>
  [...prose.replace(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
    .map(([, inline, reference]) => ({ from: file, target: (inline ?? reference) as string }))
    .filter(({ target }) => !/^(https?|mailto):/.test(target))

export const blocksIn = (...languages: string[]): Block[] =>
  pages.flatMap(({ blocks }) => blocks.filter(({ language }) => languages.includes(language)))

export const nameOf = ({ page, line }: Block) => `${page}:${line}`

function readPage(file: string, text: string): Page {
  const blocks: Block[] = []
  const fence = /^( *)```([\w-]*) *([^\n]*)\n([\s\S]*?)^\1```$/gm
  let end = 0
  let prose = ''
  for (const { index, 0: whole, 2: language = '', 3: kind = '', 4: code = '' } of text.matchAll(fence)) {
    const between = text.slice(end, index)
    prose += between
    const last = blocks.at(-1)
    if (language === 'text' && last && between.trim() === '') last.output = code
    const line = text.slice(0, index).split('\n').length
    const notRun = /<!-- not run: (.*?) -->\s*$/.exec(between)?.[1]
    const path = /^`([\w./-]+)`:\s*$/m.exec(between.trimEnd().split('\n').at(-1) ?? '')?.[1]
    blocks.push({ page: file, line, language, kind: kind.trim(), code, notRun, file: path, output: undefined })
    end = index + whole.length
  }
  prose += text.slice(end)
  return { file, text, prose, blocks, anchors: anchorsIn(prose) }
}

function anchorsIn(prose: string): Set<string> {
  const anchors = new Set([...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id as string))
  for (const [, heading = ''] of prose.matchAll(/^#+ (.*)$/gm)) {
    const slug = slugOf(heading)
    let taken = 0
    while (anchors.has(taken === 0 ? slug : `${slug}-${taken}`)) taken++
    anchors.add(taken === 0 ? slug : `${slug}-${taken}`)
  }
  return anchors
}

/** As GitHub makes it: markup and punctuation go, spaces become hyphens. */
function slugOf(heading: string): string {
  const text = heading.replace(/<[^>]*>/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}
