import { computed, signal } from '@preact/signals'

/** Returns the address within the page: `#/deliveries/<id>?state=failed`. It survives a reload and can be sent to a colleague. */
function read() {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  const [view = '', ...rest] = path.split('/')
  return { view: view || 'activity', id: decoded(rest.join('/')) || undefined, query: new URLSearchParams(search) }
}

/** Returns text that cannot be decoded as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const address = signal(read())
addEventListener('hashchange', () => {
  address.value = read()
})

export const search = computed(() => address.value.query.toString())

/** Returns a link within the page. Empty values of the query are left out. */
export function linkTo(view: string, id?: string | number, query: Record<string, string> | URLSearchParams = {}) {
  const pairs = query instanceof URLSearchParams ? [...query] : Object.entries(query)
  const search = new URLSearchParams(pairs.filter(([, value]) => value !== '')).toString()
  return `#/${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search && `?${search}`}`
}

/** Goes to another address of the page, as a link does. */
export const goTo = (link: string) => {
  location.hash = link
}

/** Closes the record that is open in a list. */
export const closeRecord = () => {
  const { view, query } = address.value
  goTo(linkTo(view, undefined, query))
}

/** Goes to another address without a step of the browser's history. */
export function replaceAddress(link: string): void {
  history.replaceState(null, '', link)
  address.value = read()
}

/** Returns a value of the address's query; empty when it is not there. */
export const queryValue = (name: string): string => address.value.query.get(name) ?? ''

/** Changes a value of the address's query, without a step of the browser's history. */
export function setQuery(name: string, value: string): void {
  const { view, id, query } = address.value
  const next = new URLSearchParams(query)
  if (value) next.set(name, value)
  else next.delete(name)
  replaceAddress(linkTo(view, id, next))
}
