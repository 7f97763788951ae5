import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { packageFolder } from '../../emulator/world/version.js'

const folder = join(packageFolder, 'docs')

/** Returns the pages of the documentation, such as `webhooks.md` and `clients/authlib.md`. Empty where the package came without them. */
export async function readTitles(): Promise<{ name: string; title: string }[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const pages = names.map((name) => name.replaceAll(sep, '/')).filter((name) => name.endsWith('.md'))
  return Promise.all(
    pages.sort().map(async (name) => ({ name, title: /^# (.*)$/m.exec(await readPage(name))?.[1] ?? name })),
  )
}

/** Returns the text of a page; empty for one that does not exist. */
export const readPage = (name: string): Promise<string> => readFile(join(folder, name), 'utf8').catch(() => '')

/** Returns the lesson of a check or a rule, from `docs/checks.md`; undefined when there is none. */
export async function lessonOf(id: string): Promise<string | undefined> {
  const sections = (await readPage('checks.md')).split(/^(?=##+ )/m)
  return sections.find((section) => section.includes(`<a id="${id}">`))?.trim()
}

/** The pages that say what the platform does, and that of the control API with the codes of its errors. */
const searched = ['platform.md', 'decisions.md', 'faults.md', 'when-something-fails.md', 'control-api.md']

/** Returns the lines of the documentation that name a term, such as an error code, each with its page and heading. */
export async function passagesAbout(term: string): Promise<{ page: string; heading: string; text: string }[]> {
  const isNamed = new RegExp(`(?<![\\w-])${term.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`)
  const found = await Promise.all(
    searched.map(async (page) => {
      let heading = ''
      return (await readPage(page)).split('\n').flatMap((line) => {
        if (line.startsWith('#')) heading = line.replace(/^#+ |<[^>]*>/g, '')
        return isNamed.test(line) ? [{ page: `docs/${page}`, heading, text: line.trim() }] : []
      })
    }),
  )
  return found.flat()
}
