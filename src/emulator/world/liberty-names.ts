/** Every liberty, with its kind. What each does is in `emulator/liberties/liberty-table.ts`. liberties: "Table" */
export const libertyKinds = {
  'page-size': 'shape',
  ties: 'shape',
  cursors: 'shape',
  ids: 'shape',
  tokens: 'shape',
  timestamps: 'shape',
  'error-words': 'shape',
  'retry-after': 'shape',
  'token-type': 'shape',
  'scope-order': 'shape',
  aud: 'shape',
  claims: 'shape',
  keys: 'shape',
  metadata: 'shape',
  redirects: 'shape',
  'more-fields': 'shape',
  'key-order': 'shape',
  'header-case': 'shape',
  gzip: 'shape',
  chunked: 'shape',
  hiccup: 'weather',
  slow: 'weather',
  'early-end': 'weather',
  'key-rotation': 'weather',
  'duplicate-events': 'weather',
  'reordered-events': 'weather',
  'unknown-type': 'future',
  'unknown-event': 'future',
} as const satisfies Record<string, 'shape' | 'weather' | 'future'>

export type LibertyName = keyof typeof libertyKinds
export const libertyNames = Object.keys(libertyKinds) as LibertyName[]

/** Splits a text at its commas. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Splits a text of kinds and ids; a list stays. */
export const libertyWords = (given: string | string[]): string[] => [given].flat().flatMap(splitList)

const named = (word: string): LibertyName[] =>
  libertyNames.filter((name) => name === word.replace(/^-/, '') || libertyKinds[name] === word.replace(/^-/, ''))

/** Returns true for a kind or an id, also behind the `-` that leaves it out. */
export const isLibertyWord = (word: string): boolean => named(word).length > 0

/** Returns the liberties that these words name, in any order, but for those left out; of `shape` where no word names one. */
export function libertiesOf(words: string[]): Set<LibertyName> {
  const excluded = words.filter((word) => word.startsWith('-'))
  const isOfShape = excluded.length > 0 && excluded.length === words.length
  const chosen = new Set((isOfShape ? ['shape'] : words).flatMap(named))
  for (const name of excluded.flatMap(named)) chosen.delete(name)
  return chosen
}
