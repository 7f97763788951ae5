import { crc32 } from 'node:zlib'

/** A line of a store's journal, with the checksum that it begins with. */
export function journalLine(line: object): string {
  const rest = JSON.stringify(line).slice(1)
  return `{"crc32":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}\n`
}
