import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser'
import type { Recording } from '../../emulator/world/scenario-parts.js'
import type { Issue, Path } from '../../foundation/schema/issue.js'
import { isDeep, TOO_DEEP } from '../../foundation/schema/json-depth.js'
import { describeParseError, lineAt, nodeNear } from '../../foundation/schema/json-text.js'
import { checkScenario } from './check.js'
import { pathText, type Scenario } from './scenario.js'

/** An issue with its line, counted from 1. Its path is as in `steps[3].install.app`, and empty for the file as a whole. */
export type FileIssue = Issue & { line: number }

export interface ScenarioFile {
  /** The document to send to an emulator, which checks the names that only a world knows. */
  document: unknown
  scenario: Scenario
  /** Returns the line on which a part begins, or the nearest part around it. @param path as in `steps[3].install.app` */
  lineOf(path: string): number
}

/** Reads a scenario from JSON with comments, and checks what can be checked without an emulator. */
export function readScenario(
  text: string,
): { file: ScenarioFile; issues: [] } | { file?: undefined; issues: FileIssue[] } {
  if (isDeep(text)) return { issues: [{ line: 1, path: '', message: `is ${TOO_DEEP}` }] }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (!tree || error) {
    const reason = error ? describeParseError(error) : 'it is empty'
    return { issues: [{ line: lineAt(text, error?.offset ?? 0), path: '', message: `is not valid JSON: ${reason}` }] }
  }
  const lineOf = (path: Path) => lineAt(text, nodeNear(tree, path).offset)
  const document: unknown = getNodeValue(tree)
  // Only the emulator knows the trusted hosts, so it checks these.
  const { scenario, issues } = checkScenario(document, undefined)
  if (scenario) return { file: { document, scenario, lineOf: (path) => lineOf(partsOf(path)) }, issues: [] }
  return { issues: issues.map(({ path, message }) => ({ line: lineOf(path), path: pathText(path), message })) }
}

/** Reverses `pathText`. */
const partsOf = (path: string): Path =>
  [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) => (index === undefined ? part : Number(index)))

/** Returns a recording as the text of a scenario file, with comments about what it leaves out. */
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
