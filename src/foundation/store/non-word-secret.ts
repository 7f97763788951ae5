/** Returns the index key of secrets that are not one word (`all`); null for others, which a text is searched for word by word. */
export const nonWordSecretKey = (secret: string): 'all' | null => (/^[\w-]*$/.test(secret) ? null : 'all')
