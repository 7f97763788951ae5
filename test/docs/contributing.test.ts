import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../harness/command-line.js'

const text = readFileSync(join(ROOT, 'docs', 'contributing.md'), 'utf8')

/** The files that the page can name, by their paths from the root. */
const sources = ['src', 'scripts', 'fixtures', 'test'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.\w+$/.test(path) && !path.includes('node_modules')),
)

const codeIn = (part: string) => [...part.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code as string)

/** The files that a path in the page stands for: itself, those of a folder, or those of a pattern (`judge-….ts`, `X-record.ts`). */
function filesOf(path: string): string[] {
  const pattern = path.includes('/') ? path : `*/${path}`
  const escaped = pattern.replace(/[.()[\]]/g, '\\$&').replace(/…|\*|\bX\b/g, '.*')
  const matching = sources.filter((file) => new RegExp(`^${escaped}$`).test(file))
  if (matching.length > 0) return matching
  if (!existsSync(join(ROOT, path))) return []
  return statSync(join(ROOT, path)).isDirectory() ? sources.filter((file) => file.startsWith(path)) : [path]
}

const isPath = (code: string) =>
  /^(src|scripts|test|fixtures|docs)\/[\w./…*-]*$/.test(code) || /^[\w…-]+(\.[\w-]+)*\.(ts|tsx|js|json)$/.test(code)

describe('docs/contributing.md', () => {
  test('names only files that exist', () => {
    const elsewhere = ['package.json', 'package-lock.json', 'release.yml', 'src/app.js', 'dist/index.d.cts']
    const paths = codeIn(text).filter((code) => isPath(code) && !elsewhere.includes(code))
    expect(paths.length).toBeGreaterThan(50)
    expect(paths.filter((path) => filesOf(path).length === 0 && !existsSync(join(ROOT, path)))).toEqual([])
  })

  const howTo = text.slice(text.indexOf('## How to add'), text.indexOf('\n## Pages'))
  const items = howTo.split(/\n(?=\d+\. |- |\*\*|\n)/).filter((item) => codeIn(item).some(isPath))

  test.for(items.map((item) => [item.trim().slice(0, 60), item]))('names what the files have: %s', ([, item = '']) => {
    const codes = codeIn(item)
    const files = codes.filter(isPath).flatMap(filesOf)
    const contents = files.map((file) => readFileSync(join(ROOT, file), 'utf8'))
    const names = codes.filter((code) => /^[a-z]+[A-Z]\w*$|^[A-Z][a-z]+([A-Z]\w*)?$|^FORMAT$/.test(code))
    const missing = names.filter((name) => !contents.some((content) => new RegExp(`\\b${name}\\b`).test(content)))
    expect(missing, `in ${files.map((file) => basename(file)).join(', ')}`).toEqual([])
  })
})
