interface Visit {
  /** Address of the last request. */
  url: URL
  status: number
  headers: Headers
  text: string
  /** Every address that was gone to, the first one included. */
  path: URL[]
}

export interface Browser {
  /** Opens an address as a person would, through at most 10 redirects. */
  open: (url: string | URL) => Promise<Visit>
  /** Posts a form; what it redirects to is opened. */
  submit: (url: string | URL, fields: Record<string, string>) => Promise<Visit>
  /** Opens an address and stays there: redirects are not followed. */
  peek: (url: string | URL) => Promise<Visit>
  /** By host name, then by name: cookies do not know ports. */
  cookies: Map<string, Map<string, string>>
}

/** Follows redirects and keeps cookies, as a browser does between an app and the platform. */
export function createBrowser(): Browser {
  const cookies = new Map<string, Map<string, string>>()

  async function send(url: URL, init: RequestInit): Promise<Response> {
    const jar = cookies.get(url.hostname) ?? new Map<string, string>()
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, headers: { ...(cookie && { cookie }) }, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] as string).split(/=(.*)/s)
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    cookies.set(url.hostname, jar)
    return response
  }

  async function travel(start: string | URL, init: RequestInit, most: number): Promise<Visit> {
    const path: URL[] = []
    let url = new URL(start)
    let response = await send(url, init)
    for (;;) {
      path.push(url)
      const text = await response.text()
      const location = response.headers.get('location')
      if (location === null || most === 0) {
        return { url, status: response.status, headers: response.headers, text, path }
      }
      if (path.length > most) throw new Error(`Redirected in a loop: ${path.map(String).join(' → ')}`)
      url = new URL(location, url)
      response = await send(url, {})
    }
  }

  return {
    open: (url) => travel(url, {}, 10),
    submit: (url, fields) => travel(url, { method: 'POST', body: new URLSearchParams(fields) }, 10),
    peek: (url) => travel(url, {}, 0),
    cookies,
  }
}
