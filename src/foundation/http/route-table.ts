/** The target of a path with the values of its parameters; `undecodable` when one is not valid percent-encoding. */
export type Found<T> = { target: T; params: Record<string, string> } | 'undecodable' | undefined

/** A segment of the patterns, and what may follow it. */
interface Branch<T> {
  literals: Map<string, Branch<T>>
  parameter?: Branch<T>
  /** A pattern that ends in `*name` here: it takes all the rest of a path. */
  rest?: { name: string; target: T }
  /** A pattern that ends here, and the names of its parameters in their order. */
  end?: { names: string[]; target: T }
}

const branch = <T>(): Branch<T> => ({ literals: new Map() })

/**
 * Paths by their segments: `/v0/elements/:id`, `/_console/*below`. A literal segment goes before a parameter, a parameter
 * before a rest. Case and a trailing slash count, and a parameter is never empty. What a look-up costs does not grow with
 * the number of routes: express tries the pattern of each in turn, and every request pays for it.
 */
export class RouteTable<T> {
  readonly #root: Branch<T> = branch()

  add(pattern: string, target: T): void {
    const names: string[] = []
    let at = this.#root
    for (const segment of pattern.slice(1).split('/')) {
      const name = segment.slice(1)
      if (segment.startsWith('*')) {
        at.rest = { name, target }
        return
      }
      if (segment.startsWith(':')) {
        names.push(name)
        at.parameter ??= branch()
        at = at.parameter
      } else {
        const next = at.literals.get(segment) ?? branch()
        at.literals.set(segment, next)
        at = next
      }
    }
    at.end = { names, target }
  }

  find(path: string): Found<T> {
    return below(this.#root, path, 1, [])
  }
}

/** Finds the target of the rest of a path, from a character on. @param values of the parameters before it; restored on return. */
function below<T>(at: Branch<T>, path: string, from: number, values: string[]): Found<T> {
  if (from > path.length) return at.end && withParams(at.end.target, at.end.names, values)
  const slash = path.indexOf('/', from)
  const end = slash < 0 ? path.length : slash
  const segment = path.slice(from, end)
  const literal = at.literals.get(segment)
  const found = literal && below(literal, path, end + 1, values)
  if (found) return found
  if (at.parameter && segment !== '') {
    values.push(segment)
    const found = below(at.parameter, path, end + 1, values)
    values.pop()
    if (found) return found
  }
  return at.rest && withParams(at.rest.target, [at.rest.name], [path.slice(from)])
}

function withParams<T>(target: T, names: string[], values: string[]): Found<T> {
  const params: Record<string, string> = {}
  try {
    names.forEach((name, index) => {
      const value = values[index] as string
      params[name] = value.includes('%') ? decodeURIComponent(value) : value
    })
  } catch {
    return 'undecodable'
  }
  return { target, params }
}
