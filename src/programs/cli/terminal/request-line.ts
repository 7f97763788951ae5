import type { StreamEvent } from '../../../control/client/event-stream.js'
import { visible } from '../../reports/visible.js'

type Entry = Extract<StreamEvent, { type: 'request' }>['data']

/** Returns why a request was refused, and what was odd about it. */
export const notesOf = ({ reason, warnings }: Pick<Entry, 'reason' | 'warnings'>): string | null =>
  [reason, ...warnings.map(({ path, message }) => `warning: ${path} ${message}`)].filter(Boolean).join('; ') || null

/** Returns a request or webhook in one line: time, request, status, and why it was refused. control-api: "CLI" */
export function requestLine(entry: Entry): string {
  const { at, surface, method, path, status, duration, app, organization, request } = entry
  const { sender, fault, liberties } = entry
  const direction = surface === 'webhook' ? '->' : '<-'
  const more = [
    [app, organization].filter(Boolean).join(' in '),
    surface === 'webhook' && (request.body as { type?: string } | null)?.type,
    sender && `by a ${sender}`,
    fault && `fault ${fault}`,
    liberties && `liberties ${liberties.join(' ')}`,
    notesOf(entry),
  ].filter(Boolean)
  const words = [at.slice(11, 19), direction, method.padEnd(6), path, status ?? '---', `${Math.round(duration)} ms`]
  return visible([...words, more.join('; ')].join(' ').trimEnd())
}
