/** A control call that was refused, with the problem that says why. control-api: rule 3 */
export class AdminError extends Error {
  constructor(
    readonly status: number,
    readonly problem: { title?: string; detail?: string; errors?: { path: string; message: string }[] },
  ) {
    super(problem.detail ?? problem.title ?? `The control API answered ${status}`)
    this.name = 'AdminError'
  }
}

type Query = Record<string, unknown>

/**
 * What sends control calls to the emulator at `url`.
 * Each rejects with an `AdminError` for a status of 400 or more.
 */
export function createSender(url: string, adminToken: string | undefined) {
  const origin = url.replace(/\/$/, '')
  const headers: Record<string, string> = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }

  async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(origin + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new AdminError(response.status, answer as AdminError['problem'])
    return answer as T
  }
  const get = <T>(path: string, query: Query = {}) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
    return send<T>('GET', search.size > 0 ? `${path}?${search}` : path)
  }
  return {
    get,
    post: <T>(path: string, body?: unknown) => send<T>('POST', path, body),
    put: <T>(path: string, body: unknown) => send<T>('PUT', path, body),
    del: <T>(path: string) => send<T>('DELETE', path),
    /** A list's `data`. */
    list: async <T>(path: string, query?: Query) => (await get<{ data: T[] }>(path, query)).data,
  }
}
