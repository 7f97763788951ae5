/** Returns true when `path` matches `pattern`, in which `*` matches any text. Takes linear time. control-api: "Journal", "Faults" */
export function matchesPath(pattern: string, path: string): boolean {
  if (!pattern.includes('*')) return pattern === path
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop() ?? ''
  if (!path.startsWith(first) || !path.endsWith(last)) return false
  let from = first.length
  for (const part of rest) {
    const found = path.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return from <= path.length - last.length
}

/** A parameter of a route's path and the segment before it. */
const PARAMETER = /([\w-]+)\/:(\w+)/g

/** Lists the parameters of a route's path, each with the segment before it: `elements`, `id` of `/v0/elements/:id`. */
export const pathParameters = (path: string): { segment: string; name: string }[] =>
  Array.from(path.matchAll(PARAMETER), ([, segment = '', name = '']) => ({ segment, name }))

/** Returns a route's path with a value for each parameter, by the segment before it. */
export const fillPath = (path: string, valueAfter: (segment: string) => string): string =>
  path.replace(PARAMETER, (_, segment: string) => `${segment}/${valueAfter(segment)}`)
