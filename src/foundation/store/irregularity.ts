/** The key of an index of secrets that are not one word: texts are not searched for these word by word. */
export const irregularity = (secret: string): 'irregular' | null => (/^[\w-]*$/.test(secret) ? null : 'irregular')
