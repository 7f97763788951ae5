/** `1 request`, `2 requests`, `2 refreshes`. */
export const pluralize = (count: number, noun: string, nouns = `${noun}${/[cs]h$/.test(noun) ? 'es' : 's'}`): string =>
  `${count} ${count === 1 ? noun : nouns}`
