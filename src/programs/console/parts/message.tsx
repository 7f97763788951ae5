import { Copy } from './copy.js'

/** Bytes of a body that the journal keeps. */
const KEPT = 64 * 1024

interface Message {
  headers: Record<string, string>
  body: unknown
  /** Of the whole body, in bytes; the journal keeps the first 64 KB. */
  length?: number
}

/** A body as text: JSON spread over lines, text as it is. */
export const bodyText = (body: unknown): string =>
  body === null || body === undefined ? '' : typeof body === 'string' ? pretty(body) : JSON.stringify(body, null, 2)

function pretty(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** A box of text that can be scrolled by the keyboard and copied. */
export function TextBox({ text, label }: { text: string; label: string }) {
  return (
    <div class="textbox">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <Copy text={() => text} what={label} />
    </div>
  )
}

/** One side of an exchange: headers and body. Whatever an app sent is shown as text. console: Serving */
export function MessageView({ title, message }: { title: string; message: Message | null }) {
  if (!message) {
    return (
      <section>
        <h3>{title}</h3>
        <p class="soft">None was received.</p>
      </section>
    )
  }
  const headers = Object.entries(message.headers)
  const text = bodyText(message.body)
  return (
    <section>
      <h3>{title}</h3>
      {text ? <TextBox text={text} label={`${title}: body`} /> : <p class="soft">No body.</p>}
      {(message.length ?? 0) > KEPT && (
        <p class="soft small num">This is the first 64 KB of {message.length?.toLocaleString('en')} bytes.</p>
      )}
      <details>
        <summary>
          {headers.length} {headers.length === 1 ? 'header' : 'headers'}
        </summary>
        <dl class="headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
