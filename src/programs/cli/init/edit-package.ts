import { applyEdits, modify } from 'jsonc-parser'
import type { PackageJson } from './project.js'

/** The test script that npm writes into a new package.json. */
const NO_TESTS = /no test specified/

export interface PackageEdit {
  text: string
  /** The added fields: `scripts.mockademy`. */
  added: string[]
  /** Scripts of these names that exist and differ. */
  kept: string[]
}

/**
 * Adds scripts, and the package itself as a development dependency, where they are missing. Everything else stays as it
 * is written, its indentation and line ends too.
 * @param range the version of this package, as `^1.2.0`.
 */
export function editPackage(
  text: string,
  json: PackageJson,
  scripts: Record<string, string>,
  range: string,
): PackageEdit {
  const edit: PackageEdit = { text, added: [], kept: [] }
  const set = (path: string[], value: string) => {
    edit.text = applyEdits(edit.text, modify(edit.text, path, value, { formattingOptions: formattingOf(text) }))
    edit.added.push(path.join('.'))
  }
  for (const [name, script] of Object.entries(scripts)) {
    const present = json.scripts?.[name]
    if (present === undefined || (name === 'test' && NO_TESTS.test(String(present)))) set(['scripts', name], script)
    else if (present !== script) edit.kept.push(`scripts.${name}`)
  }
  const isThere = json.dependencies?.mockademy !== undefined || json.devDependencies?.mockademy !== undefined
  if (!isThere && json.name !== 'mockademy') set(['devDependencies', 'mockademy'], range)
  return edit
}

/** The indentation and line ends of a JSON text; npm's own where it has none. */
function formattingOf(text: string) {
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? []
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}
