import { createHash } from 'node:crypto'

const style = `body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } button { font: inherit; padding: .25rem .75rem; }`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Text that is markup already. */
class Html {
  /** @param {string} text */
  constructor(text) {
    this.text = text
  }
}

/** Markup in which every value is escaped, unless it is markup itself. @param {TemplateStringsArray} parts @param {(string | Html)[]} values */
export const html = (parts, ...values) =>
  new Html(String.raw({ raw: parts }, ...values.map((value) => (value instanceof Html ? value.text : escaped(value)))))

/**
 * Sends a page. @param {import('express').Response} response @param {{ status?: number, title: string, body: Html }} page
 */
export function sendPage(response, { status = 200, title, body }) {
  response
    .status(status)
    .type('html')
    .set('Content-Security-Policy', policy)
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style></head>
<body>
<h1>${escaped(title)}</h1>
${body.text}
</body>
</html>
`)
}
