import { elementsIn } from '../../../src/programs/audit/app/page.js'
import { chromiumPath } from '../../harness/chromium.js'
import { createBrowser } from '../../harness/cookie-jar.js'

interface Landing {
  status: number
  text: string
}

/** Somebody with a browser that knows nothing yet. */
export interface Person {
  /**
   * Opens an address and submits whatever form comes (an app's "Sign in with …", the platform's consent) until there
   * is none.
   */
  goThrough: (start: string) => Promise<Landing>
  leave: () => Promise<void>
}

/** Most forms on the way. */
const FORMS = 4

/** With cookies and redirects only, which is quicker than a browser. */
export function personWithCookies(): Person {
  return {
    async goThrough(start) {
      const browser = createBrowser()
      let visit = await browser.open(start)
      for (let forms = 0; forms < FORMS; forms++) {
        const [form] = elementsIn(
          visit.text,
          ({ name, attribs }) => name === 'form' && attribs.method?.toLowerCase() === 'post',
        )
        if (visit.status !== 200 || !form) break
        const [button] = elementsIn(form, ({ name, attribs }) => name === 'button' && attribs.value !== undefined)
        const fields = [
          ...elementsIn(
            form,
            ({ name, attribs }) => name === 'input' && (attribs.type === 'hidden' || 'checked' in attribs),
          ),
          ...(button ? [button] : []),
        ].flatMap(({ attribs: { name, value = '' } }) => (name ? [[name, value] as const] : []))
        visit = await browser.submit(new URL(form.attribs.action ?? '', visit.url), Object.fromEntries(fields))
      }
      return { status: visit.status, text: visit.text }
    },
    leave: async () => undefined,
  }
}

/** With Chromium, for apps that run in a browser or look at what only one sends. */
export async function personWithChromium(): Promise<Person> {
  // It takes a third of a second to load, and most apps need no browser.
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  return {
    async goThrough(start) {
      const context = await browser.newContext()
      const page = await context.newPage()
      let status = 0
      page.on('response', (response) => {
        if (response.request().isNavigationRequest()) status = response.status()
      })
      await page.goto(start)
      for (let forms = 0; forms < FORMS; forms++) {
        await page.locator('form[method=post i], body:not(:empty):not(:has(form))').first().waitFor()
        const button = page.locator('form[method=post i] button').first()
        if (!(await button.isVisible())) break
        await button.click()
      }
      const text = await page.locator('body').textContent()
      await context.close()
      return { status, text: text ?? '' }
    },
    leave: () => browser.close(),
  }
}
