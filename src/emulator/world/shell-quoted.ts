export const shellQuoted = (word: string): string =>
  /^[\w./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
