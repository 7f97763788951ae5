import type { Recording } from '../../emulator/world/scenario-parts.js'

/** A recording as the text of a scenario file, with a comment for what was left out. */
export function textOfRecording({ scenario: { title, steps }, left_out }: Recording): string {
  const notes = (before: number) =>
    left_out
      .filter((each) => each.before === before)
      .map(({ request, why }) => `    // Left out: ${request.replace(/\s+/g, ' ')}: ${why}.\n`)
      .join('')
  const written = steps.map((step, index) => {
    const text = JSON.stringify(step, null, 2).replace(/^/gm, '    ')
    return `${notes(index)}${text}${index < steps.length - 1 ? ',' : ''}\n`
  })
  return [
    '// Recorded by `mockademy scenario record`: add what you expect, and remove what you do not need.\n',
    `{\n  "title": ${JSON.stringify(title ?? null)},\n  "steps": [\n`,
    ...written,
    notes(steps.length),
    '  ]\n}\n',
  ].join('')
}
