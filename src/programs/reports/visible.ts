/**
 * Text that acts instead of being shown: control characters, line and paragraph separators, changes of the direction of
 * writing, and commands to runners of CI, at the beginning of a line (`::error::`) or anywhere (`##[error]`, `##vso[…]`).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
const acting = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]|^\s*:(?=:)|##(?=\w*\[)/g

/** Escapes what would act in a line of a terminal, line breaks too, as JSON does (`\n`, `\u001b`). Not for JSON itself. */
export const visible = (line: string): string =>
  line.replace(acting, (found) => found.slice(0, -1).replace(acting, escaped) + escaped(found.slice(-1)))

/** Escapes each line of a text whose line breaks are the program's own. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

function escaped(character: string): string {
  const inJson = JSON.stringify(character).slice(1, -1)
  return inJson === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : inJson
}
