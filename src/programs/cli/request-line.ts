import type { Redactor } from '../../emulator/journal/known-secrets.js'
import type { JournalEntry } from '../../emulator/world/exchange.js'
import { visible } from '../reports/visible.js'

/**
 * A request or webhook in one line: when, what, how it ended, and why it was refused. control-api: "CLI"
 * @param hide takes out the secrets that the world knows.
 */
export function requestLine(
  { at, surface, method, path, status, duration, identity, sender, notes }: JournalEntry,
  hide: Redactor,
): string {
  const time = at.slice(11, 19)
  const direction = surface === 'webhook' ? '->' : '<-'
  const who = [identity.app, identity.organization].filter(Boolean).join(' in ')
  const more = [
    who,
    sender && `by a ${sender}`,
    notes.fault && `fault ${notes.fault}`,
    notes.reason && hide(notes.reason),
    ...(notes.warnings ?? []).map(({ path, message }) => `warning: ${hide(path)} ${hide(message)}`),
  ].filter(Boolean)
  const took = `${Math.round(duration)} ms`
  const words = [time, direction, method.padEnd(6), hide(path), status ?? '---', took, more.join('; ')]
  return visible(words.join(' ').trimEnd())
}
