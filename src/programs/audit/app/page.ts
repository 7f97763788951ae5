import { DomUtils, parseDocument } from 'htmlparser2'

export type PageElement = ReturnType<typeof DomUtils.findAll>[number]

/** Returns the elements of a page, or within one of its elements, that pass a test, in their order. */
export const elementsIn = (page: string | PageElement, test: (element: PageElement) => boolean): PageElement[] =>
  DomUtils.findAll(test, typeof page === 'string' ? parseDocument(page).children : page.children)

/** Returns the address that a text on a page means; undefined when it is none. @param page address of the page. */
export const addressOf = (text: string | undefined, page: string): URL | undefined =>
  text !== undefined && URL.canParse(text, page) ? new URL(text, page) : undefined

export const hasSamePath = ({ origin, pathname }: URL, other: string): boolean =>
  origin === new URL(other).origin && pathname === new URL(other).pathname

export const elementText = (element: PageElement): string => DomUtils.textContent(element)

/** Returns the text of the first element of these names, as it stands; undefined when a page has none. */
export function textOfFirst(page: string, ...names: string[]): string | undefined {
  const [element] = elementsIn(page, ({ name }) => names.includes(name))
  return element && elementText(element)
}

/** Returns the whole text of a page, its spaces folded. */
export const pageText = (page: string): string =>
  DomUtils.innerText(parseDocument(page).children).replace(/\s+/g, ' ').trim()

/** Returns the first text that a page shows, up to a break. */
export function firstTextOf(page: string): string {
  const { children } = parseDocument(page)
  const isHidden = (node: (typeof children)[number]) => 'name' in node && ['style', 'script'].includes(node.name)
  const [first] = DomUtils.find(
    (node) =>
      'data' in node && node.type === 'text' && node.data.trim() !== '' && !(node.parent && isHidden(node.parent)),
    children,
    true,
    1,
  )
  const around = first?.parent?.children ?? children
  const end = around.findIndex((node) => 'name' in node && node.name === 'br')
  return DomUtils.innerText(end === -1 ? around : around.slice(0, end)).trim()
}
