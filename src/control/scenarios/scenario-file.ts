import { getNodeValue, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Path } from '../../foundation/schema/issue.js'
import { isDeep, MOST_LEVELS } from '../../foundation/schema/json-depth.js'
import { nodeNear } from '../../foundation/schema/json-text.js'
import { checkScenario } from './check.js'
import { pathText, type Scenario } from './scenario.js'

/** What is wrong with a file, and the line (from 1) where that stands. */
export interface FileIssue {
  line: number
  /** `steps[3].install.app`; empty for the file as a whole. */
  path: string
  message: string
}

/** A scenario as it stands in a file. */
export interface ScenarioFile {
  /** What to send to an emulator: it checks the names that only a world knows. */
  document: unknown
  scenario: Scenario
  /** The line on which a part begins, or what is nearest around it. @param path as in `steps[3].install.app` */
  lineOf(path: string): number
}

/**
 * Reads a scenario from JSON with comments, and checks it as far as that goes without an emulator.
 * @returns the scenario, or everything that is wrong.
 */
export function readScenario(
  text: string,
): { file: ScenarioFile; issues: [] } | { file?: undefined; issues: FileIssue[] } {
  if (isDeep(text))
    return { issues: [{ line: 1, path: '', message: `is nested more than ${MOST_LEVELS} levels deep` }] }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true })
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const [error] = errors
  if (!tree || error) {
    const reason = error ? printParseErrorCode(error.error) : 'it is empty'
    return { issues: [{ line: lineAt(error?.offset ?? 0), path: '', message: `is not valid JSON (${reason})` }] }
  }
  const lineOf = (path: Path) => lineAt(nodeNear(tree, path).offset)
  const document: unknown = getNodeValue(tree)
  // Which hosts are trusted only an emulator knows: what may be is left to it.
  const { scenario, issues } = checkScenario(document, undefined)
  if (scenario) return { file: { document, scenario, lineOf: (path) => lineOf(partsOf(path)) }, issues: [] }
  return { issues: issues.map(({ path, message }) => ({ line: lineOf(path), path: pathText(path), message })) }
}

/** The reverse of `pathText`. */
const partsOf = (path: string): Path =>
  [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) => (index === undefined ? part : Number(index)))
