/** Header fields by the names that node gives received ones: field names are case-insensitive. RFC 9110 §5.1 */
export const lowerCaseNames = <T = string>(headers: Record<string, T> = {}): Record<string, T> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Received header fields with one value each: the lines of one name are joined by commas. RFC 9110 §5.3 */
export const joinedFields = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
