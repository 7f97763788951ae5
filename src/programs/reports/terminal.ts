import { type Result, type Status, statuses } from './report.js'
import { visible } from './visible.js'

export interface TerminalStyle {
  colour: boolean
}

/** The colours of standard output, unless NO_COLOR is set. */
export const outputStyle = (): TerminalStyle => ({
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
})

/** A text in the colour of a status. */
export const painted = (text: string, status: Status, { colour }: TerminalStyle): string =>
  colour ? `\x1b[${statuses[status].colour}m${text}\x1b[0m` : text

/**
 * Lines of a result: its head, why it was skipped, or the message and facts of what did not pass.
 * @param head what names the result.
 * @param lead label of the message; without one, no line has a label.
 */
export function resultLines({ status, message, facts }: Result, head: string, lead: string, style: TerminalStyle) {
  const first = `${painted(statuses[status].mark, status, style)} ${visible(head)}`
  if (status === 'pass') return [first]
  if (status === 'skip') return [first, `  ${painted(visible(`skipped: ${message}`), status, style)}`]
  const rows = [{ label: lead, text: message }, ...facts]
  return [
    first,
    ...rows.map(({ label, text, ...more }) => {
      const shown = visible('command' in more ? `${text} (\`${more.command}\`)` : text)
      return label ? `  ${painted(label.toLowerCase().padEnd(15), status, style)} ${shown}` : `  ${shown}`
    }),
  ]
}
