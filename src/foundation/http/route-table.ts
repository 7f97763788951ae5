/** The target of a path with the values of its parameters; `undecodable` when one is not valid percent-encoding. */
export type Found<T> = { target: T; params: Record<string, string> } | 'undecodable' | undefined

type Entry<T> = { segments: string[]; target: T }

/**
 * Paths by their segments: `/v0/elements/:id`, `/_console/*below`. Matching is case-sensitive, a trailing slash counts,
 * and a parameter is never empty. Of several matching patterns, the first segment in which they differ decides: literal
 * before parameter before rest.
 */
export class RouteTable<T> {
  readonly #entries: Entry<T>[] = []

  add(pattern: string, target: T): void {
    this.#entries.push({ segments: segmentsOf(pattern), target })
    this.#entries.sort((a, b) => generality(a).localeCompare(generality(b)))
  }

  find(path: string): Found<T> {
    const segments = segmentsOf(path)
    const entry = this.#entries.find(({ segments: pattern }) => matches(pattern, segments))
    return entry && withParams(entry, segments)
  }
}

const segmentsOf = (path: string) => path.slice(1).split('/')

/** Sorts the more special of two patterns first. */
const generality = ({ segments }: Entry<unknown>) =>
  segments.map((segment) => (segment.startsWith('*') ? 2 : segment.startsWith(':') ? 1 : 0)).join('')

function matches(pattern: string[], segments: string[]): boolean {
  const hasRest = pattern.at(-1)?.startsWith('*')
  if (hasRest ? segments.length < pattern.length : segments.length !== pattern.length) return false
  return pattern.every((part, index) => {
    if (part.startsWith('*')) return true
    return part.startsWith(':') ? segments[index] !== '' : part === segments[index]
  })
}

function withParams<T>({ segments: pattern, target }: Entry<T>, segments: string[]): Found<T> {
  const params: Record<string, string> = {}
  try {
    for (const [index, part] of pattern.entries()) {
      if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(segments[index] as string)
      if (part.startsWith('*')) params[part.slice(1)] = decodeURIComponent(segments.slice(index).join('/'))
    }
  } catch {
    return 'undecodable'
  }
  return { target, params }
}
