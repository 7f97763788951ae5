/**
 * Controls of ASCII and Latin-1, the line and paragraph separator, and what turns the direction of writing; and what
 * runners of CI read as a command, at the beginning of a line (`::error::`) or anywhere (`##[error]`, `##vso[…]`).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const acting = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]|^\s*:(?=:)|##(?=\w*\[)/g

/**
 * One line of a terminal, in which text of files, apps or the wire does nothing: control characters, line breaks too,
 * are shown as JSON writes them (`\n`, `\u001b`). JSON stays the JSON that it is.
 */
export const visible = (line: string): string =>
  line.replace(acting, (found) => found.slice(0, -1).replace(acting, escaped) + escaped(found.slice(-1)))

/** The same for text of several lines that the program made itself, of lines or of values that are visible already. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

function escaped(character: string): string {
  const inJson = JSON.stringify(character).slice(1, -1)
  return inJson === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : inJson
}
