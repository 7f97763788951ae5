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

/** Splits a text of kinds and ids; a list stays. */
export const libertyWords = (given: string | string[]): string[] =>
  [given]
    .flat()
    .flatMap((text) => text.split(','))
    .map((word) => word.trim())
    .filter(Boolean)

const named = (word: string): LibertyName[] =>
  libertyNames.filter((name) => name === word.replace(/^-/, '') || libertyKinds[name] === word.replace(/^-/, ''))

/** True for a kind or an id, also behind the `-` that leaves it out. */
export const isLibertyWord = (word: string): boolean => named(word).length > 0

/** Returns the liberties that these words name, from left to right. Where the first leaves one out, `shape` goes before it. */
export function libertiesOf(words: string[]): Set<LibertyName> {
  const chosen = new Set<LibertyName>()
  for (const word of words[0]?.startsWith('-') ? ['shape', ...words] : words) {
    for (const name of named(word)) {
      if (word.startsWith('-')) chosen.delete(name)
      else chosen.add(name)
    }
  }
  return chosen
}
