import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmulator } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'
import { pages } from './pages.js'

type Document = 'spec' | 'wire'
const files = { spec: 'docs/platform.md', wire: 'docs/decisions.md' } as const

interface Section {
  number: string
  text: string
}

const textOf = (file: string) => pages.find((page) => page.file === file)?.text ?? ''

/** The sections of a page, each as far as the next heading. */
const sectionsOf = (document: Document): Section[] =>
  textOf(files[document])
    .split(/^(?=##+ <a id="s)/m)
    .slice(1)
    .map((text) => ({ number: /§([\d.]+)/.exec(text)?.[1] as string, text }))

const sections = { spec: sectionsOf('spec'), wire: sectionsOf('wire') }

interface Citation {
  document: Document
  /** `2.3`, or with the number of a rule: `5.2.3`, `2.5 rule 5`. */
  section: string
  /** The row or paragraph that is cited by its name. */
  name: string | undefined
  from: string
}

/** Every citation in the files of a folder: `spec: §5.3, wire: §2 "list payload"`, `spec §4.8`, `§2.5 rules 1 to 4`. */
function citationsIn(folder: string): Citation[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('docs/'))
    .flatMap((name) => {
      const text = readFileSync(join(ROOT, folder, name), 'utf8').replace(/\s*\n\s*(\*|\/\/)?\s*/g, ' ')
      // Other documents have sections too, RFC 6749 §4.1.2 for one: what follows a name of theirs is not ours.
      const groups = text.matchAll(
        /\b(spec|wire):? (§[\d.]*\d(?: (?:rules? \d+(?: to \d+)?|["“`][^"”`]+["”`]))?(?:(?:, | and | to )§[\d.]*\d(?: rules? \d+(?: to \d+)?)?)*)/g,
      )
      return [...groups].flatMap(([, document, cited = '']) =>
        [...cited.matchAll(/§([\d.]*\d(?: rules? \d+)?)(?: to \d+)?(?: ["“`]([^"”`]+)["”`])?/g)].map(
          ([, section, title]) => ({
            document: document as Document,
            section: section as string,
            name: title,
            from: `${folder}/${name}`,
          }),
        ),
      )
    })
}

/** The section of a citation; a number beyond those of the headings is that of a rule. Undefined when there is none. */
function sectionOf({ document, section }: Citation): Section | undefined {
  const [, number, worded] = /^([\d.]+)(?: rules? (\d+))?$/.exec(section) ?? []
  const whole = sections[document].find((each) => each.number === number)
  if (whole) return worded === undefined || hasRule(whole, worded) ? whole : undefined
  const [, chapter, rule = ''] = /^([\d.]+)\.(\d+)$/.exec(number ?? '') ?? []
  const found = sections[document].find((each) => each.number === chapter)
  return found && hasRule(found, rule) ? found : undefined
}

const hasRule = ({ text }: Section, rule: string) => new RegExp(`^${rule}\\. `, 'm').test(text)

const cited = citationsIn('src')
const named = citationsIn('test')

describe('the sections that are cited', () => {
  test('exist in platform.md and decisions.md', () => {
    expect(cited.length).toBeGreaterThan(300)
    const missing = [...cited, ...named].filter((citation) => !sectionOf(citation))
    expect(missing.map(({ document, section, from }) => `${from}: ${document}: §${section}`)).toEqual([])
  })

  test('have the rows that are cited by name', () => {
    const missing = [...cited, ...named].filter((citation) => {
      const { name } = citation
      // A name that is made at run time is checked where it is used.
      if (name === undefined || name.includes('${')) return false
      const text = sectionOf(citation)?.text.replaceAll('`', '') ?? ''
      const words = name.replace(/ of$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      // The first cell of a row, or the bold words that begin a paragraph.
      return !new RegExp(`^\\| (?:\\w+, )?${words}|^\\*\\*${words}|[.] \\*\\*${words}`, 'im').test(text)
    })
    expect(missing.map(({ document, section, name, from }) => `${from}: ${document}: §${section} "${name}"`)).toEqual(
      [],
    )
  })

  test('have anchors, rules too, where a message or a document cites one by its number', () => {
    const dotted = cited.filter(({ section }) => /^[\d.]+$/.test(section))
    const missing = dotted.filter(({ document, section }) => {
      const page = pages.find(({ file }) => file === files[document])
      return !page?.anchors.has(`s${section}`)
    })
    expect(missing.map(({ document, section, from }) => `${from}: ${document}: §${section}`)).toEqual([])
  })

  test('stand under anchors of their own', () => {
    for (const document of ['spec', 'wire'] as const) {
      const page = pages.find(({ file }) => file === files[document])
      for (const { number } of sections[document]) expect(page?.anchors).toContain(`s${number}`)
    }
  })

  /** A section that no test names may still be tested; only citations are checked. */
  test('are named by tests, but for these', () => {
    const covered = new Set(named.map((citation) => `${citation.document}: §${sectionOf(citation)?.number}`))
    const all = (['spec', 'wire'] as const).flatMap((document) =>
      sections[document].map(({ number }) => `${document}: §${number}`),
    )
    // The introduction, and two chapters that are but their sections.
    expect(all.filter((section) => !covered.has(section))).toEqual(['spec: §1', 'spec: §2', 'spec: §4'])
  })
})

describe('x-source', () => {
  test.for(['/v0/openapi.json', '/_admin/openapi.json'])('of %s leads to a section that exists', async (path) => {
    const emulator = await startEmulator()
    const document = (await (await fetch(emulator.url + path)).json()) as {
      paths: Record<string, Record<string, { 'x-source': string; externalDocs: { description: string; url: string } }>>
    }
    await emulator.close()
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const base = `${manifest.repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${manifest.version}/`
    for (const { 'x-source': source, externalDocs } of Object.values(document.paths).flatMap((path) =>
      Object.values(path),
    )) {
      expect(externalDocs.description).toBe(source)
      expect(externalDocs.url.startsWith(base)).toBe(true)
      const [file, anchor] = externalDocs.url.replace(base, '').split('#')
      const page = pages.find((each) => each.file === file)
      expect({ source, has: anchor === undefined || page?.anchors.has(anchor) }).toEqual({ source, has: true })
    }
  })
})
