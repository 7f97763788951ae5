import { isObject } from '../../foundation/schema/is-object.js'
import { Draws } from '../generator/draws.js'

const WORDS = `
  about response because before begin between clear course draw each early example first follow group hand idea keep later
  learn lesson listen more note often open other page part plan point read reason second short show simple step talk task
  think time together try watch week word work write
`
  .trim()
  .split(/\s+/)

const MAX_WORDS = 60

/** Returns invented text about as long as `text`. */
function inventText(text: string, seed: string): string {
  const draws = new Draws(`text ${seed} ${text.length}`)
  if (/^https?:\/\//i.test(text)) return `https://files.example/${draws.token(10)}`
  const count = Math.min(text.split(/\s+/).filter(Boolean).length, MAX_WORDS)
  const words = Array.from({ length: count }, () => draws.of(WORDS)).join(' ')
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/**
 * Replaces all that a person may have written: texts, but for those in `known`, which the platform itself offered (ids and
 * texts of options); long numbers, as telephone numbers are written so; and keys that are no plain names.
 */
export function inventValue(value: unknown, seed: string, known: ReadonlySet<string> = new Set()): unknown {
  if (typeof value === 'string') return known.has(value) ? value : inventText(value, seed)
  if (typeof value === 'number') return Math.abs(value) < 10_000 ? value : 0
  if (Array.isArray(value)) return value.map((item, index) => inventValue(item, `${seed}.${index}`, known))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner], index) => [
      known.has(key) || /^[a-z][a-z0-9_]{0,39}$/.test(key) ? key : `field_${index + 1}`,
      inventValue(inner, `${seed}.${index}`, known),
    ]),
  )
}

/** Returns the answers that the question itself offers, which no member wrote. */
export function offeredBy(question: Record<string, unknown> = {}): ReadonlySet<string> {
  const choices = [question.options, question.answers].flatMap((list) => (Array.isArray(list) ? list : []))
  const texts = [...choices.flatMap(({ id, text }) => [id, text]), question.yes_text, question.no_text]
  return new Set(texts.filter((text) => typeof text === 'string'))
}
