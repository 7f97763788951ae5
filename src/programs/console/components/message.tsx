import { pluralize } from '../../reports/pluralize.js'
import { report } from '../api/report.js'
import { Copy } from './button.js'

/** The bytes of a body that the journal keeps, or the characters that the report does. */
const KEPT = report?.body_limit ?? 64 * 1024

interface Message {
  headers: Record<string, string>
  body: unknown
  /** Bytes of the whole body, of which the journal keeps the first 64 KB. Deliveries and inboxes have none. */
  length?: number
}

/**
 * A body as text, with JSON indented, or with an indent of 0 on one line. The length tells the JSON `null` from no body.
 */
export function bodyText({ body, length }: Pick<Message, 'body' | 'length'>, indent = 2): string {
  if (typeof body !== 'string') return JSON.stringify(body ?? (length ? null : undefined), null, indent) ?? ''
  return indent ? indented(body) : body
}

function indented(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** A box of text, with Copy. */
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

/** A command for a terminal, with Copy. */
export const ToCopy = ({ text }: { text: string }) => (
  <div class="call">
    <code>{text}</code>
    <Copy text={() => text} what="this command" />
  </div>
)

/** A value as JSON in a box of text. */
export const Json = ({ of, label }: { of: unknown; label: string }) => (
  <TextBox text={JSON.stringify(of, null, 2)} label={label} />
)

/**
 * One side of an exchange: body and headers, always as text. console: Serving
 * @param of the exchange, for the body's name, where a view shows several.
 */
export function MessageView({ title, of = '', message }: { title: string; of?: string; message: Message | null }) {
  return (
    <section>
      <h3>{title}</h3>
      {message ? <Parts label={`${title}${of}: body`} message={message} /> : <p class="soft">None was received.</p>}
    </section>
  )
}

function Parts({ label, message }: { label: string; message: Message }) {
  const headers = Object.entries(message.headers)
  const { length = 0 } = message
  const text = bodyText(message)
  return (
    <>
      {text ? <TextBox text={text} label={label} /> : <p class="soft">No body.</p>}
      {length > KEPT && !text.startsWith(`[${length} `) && (
        <p class="soft small">
          Only the first {KEPT.toLocaleString('en')} of {length.toLocaleString('en')} bytes are kept.
        </p>
      )}
      <details>
        <summary>{pluralize(headers.length, 'header')}</summary>
        <dl class="headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}
