/** Returns the path of a control call, with a value for each `:name`, and its query without undefined fields. */
export function pathOfCall(path: string, params: Record<string, string> = {}, query?: unknown): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return search.size > 0 ? `${filled}?${search}` : filled
}
