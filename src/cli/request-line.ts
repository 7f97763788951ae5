import type { JournalEntry } from '../world/exchange.js'

/** A request or webhook in one line: when, what, how it ended, and why it was refused. control-api: "CLI" */
export function requestLine({
  at,
  surface,
  method,
  path,
  status,
  duration,
  identity,
  sender,
  notes,
}: JournalEntry): string {
  const time = at.slice(11, 19)
  const direction = surface === 'webhook' ? '->' : '<-'
  const who = [identity.app, identity.organization].filter(Boolean).join(' in ')
  const more = [
    who,
    sender && `by a ${sender}`,
    notes.fault && `fault ${notes.fault}`,
    notes.reason,
    ...(notes.warnings ?? []).map(({ path, message }) => `warning: ${path} ${message}`),
  ].filter(Boolean)
  const took = `${Math.round(duration)} ms`
  return [time, direction, method.padEnd(6), path, status ?? '---', took, more.join('; ')].join(' ').trimEnd()
}
