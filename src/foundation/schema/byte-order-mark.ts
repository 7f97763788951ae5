/** Returns the text of a file without the byte order mark that editors on Windows put before it. RFC 8259 §8.1 */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '')
