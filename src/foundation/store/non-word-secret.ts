/** Characters of the shortest secret that a text is searched for: a shorter one would be found in unrelated words. */
export const MIN_SECRET_LENGTH = 6
/** The index key of secrets without a word by which they can be found. */
export const WITHOUT_WORD = 'all'

const words = /[\w-]+/g
/** An ordinary word: "The client secret is wrong" must stay readable when the secret of some app is "secret". */
export const ordinaryWord = /^(?:[a-z]+|\d+)$/i

/**
 * Returns the index key of secrets that are not one word, by which they are found in a text: the longest word in them
 * that belongs in no sentence. Null for others, since a text is searched for them as they are.
 */
export function nonWordSecretKey(secret: string): string | null {
  if (/^[\w-]*$/.test(secret)) return null
  const found = (secret.match(words) ?? []).filter(
    (word) => word.length >= MIN_SECRET_LENGTH && !ordinaryWord.test(word),
  )
  return found.reduce((longest, word) => (word.length > longest.length ? word : longest), '') || WITHOUT_WORD
}
