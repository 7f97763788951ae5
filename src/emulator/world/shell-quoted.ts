/** Writes a word of a shell's command. */
export const shellQuoted = (word: string): string =>
  /^[\w./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
