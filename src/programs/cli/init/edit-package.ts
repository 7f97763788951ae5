import { applyEdits, modify } from 'jsonc-parser'
import type { PackageJson } from './project.js'

/** The test script that npm writes into a new package.json. */
export const NO_TESTS = /no test specified/

/**
 * Adds scripts and development dependencies where they are missing. Everything else stays as it is written, its
 * indentation and line ends too.
 * @param packages version ranges by name.
 * @returns the text, the added fields (`scripts.mockademy`), and the scripts of these names that exist and differ.
 */
export function editPackage(
  text: string,
  json: PackageJson,
  scripts: Record<string, string>,
  packages: Record<string, string>,
): { text: string; added: string[]; kept: string[] } {
  const edit = { text, added: [] as string[], kept: [] as string[] }
  const set = (path: string[], value: string) => {
    edit.text = applyEdits(edit.text, modify(edit.text, path, value, { formattingOptions: formattingOf(text) }))
    edit.added.push(path.join('.'))
  }
  for (const [name, script] of Object.entries(scripts)) {
    const present = json.scripts?.[name]
    if (present === undefined || (name === 'test' && NO_TESTS.test(String(present)))) set(['scripts', name], script)
    else if (present !== script) edit.kept.push(`scripts.${name}`)
  }
  for (const [name, range] of Object.entries(packages)) {
    const isThere = name in { ...json.dependencies, ...json.devDependencies } || name === json.name
    if (!isThere) set(['devDependencies', name], range)
  }
  return edit
}

/** Returns the indentation and line ends of a JSON text; npm's own where it has none. */
function formattingOf(text: string) {
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? []
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}
