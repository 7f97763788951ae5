import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as z from 'zod'

// The part of SARIF 2.1.0's schema (its objects allow no other properties) that reports use, and what GitHub's code
// scanning asks beyond it: https://docs.github.com/en/code-security/reference/code-scanning/sarif-support

const text = z.strictObject({ text: z.string().min(1) })
const level = z.enum(['none', 'note', 'warning', 'error'])

const rule = z.strictObject({
  id: z.string().min(1),
  shortDescription: text,
  fullDescription: text,
  help: text,
  defaultConfiguration: z.strictObject({ level }),
  properties: z
    .looseObject({
      tags: z.array(z.string()).max(20),
      'security-severity': z.string().refine((score) => Number(score) > 0 && Number(score) <= 10, 'must be a score'),
    })
    .optional(),
})

const location = z.strictObject({
  physicalLocation: z.strictObject({
    // Only a relative URI may have a base. SARIF §3.4.4
    artifactLocation: z.union([
      z.strictObject({
        uri: z.string().regex(/^(?!\/)(?![a-z]+:)[\w./~%!$&'()*+,;=:@-]+$/i, 'must be a relative URI reference'),
        uriBaseId: z.literal('%SRCROOT%'),
      }),
      z.strictObject({ uri: z.url() }),
    ]),
    region: z.strictObject({ startLine: z.int().min(1) }),
  }),
})

const result = z.strictObject({
  ruleId: z.string().min(1),
  ruleIndex: z.int().min(0),
  level,
  message: text,
  // A result without one makes the whole file be refused.
  locations: z.array(location).min(1).max(1_000),
  partialFingerprints: z.strictObject({ primaryLocationLineHash: z.string().min(1) }),
})

const log = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z
    .array(
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({
            name: z.string().min(1),
            version: z.string(),
            informationUri: z.url(),
            rules: z.array(rule).max(25_000),
          }),
        }),
        automationDetails: z.strictObject({ id: z.string().regex(/\/$/, 'a category ends with a slash') }),
        columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
        results: z.array(result).max(5_000),
      }),
    )
    .min(1)
    .max(20),
})

/**
 * Returns where a SARIF file breaks the schema or the rules of ingestion.
 * @param root the folder in which the places of its results must exist.
 */
export function sarifIssues(file: string, root: string): string[] {
  const { data, error } = log.safeParse(JSON.parse(file))
  if (!data) return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  return data.runs.flatMap(({ tool, results }) => {
    const { rules } = tool.driver
    const ids = new Set(rules.map(({ id }) => id))
    const fingerprints = results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash)
    return [
      ...(ids.size === rules.length ? [] : ['two rules have one id']),
      ...(new Set(fingerprints).size === results.length ? [] : ['two results have one fingerprint']),
      ...results.flatMap(({ ruleId, ruleIndex, locations }, index) => [
        ...(rules[ruleIndex]?.id === ruleId ? [] : [`results.${index}: ruleIndex is not that of ${ruleId}`]),
        ...locations.flatMap(({ physicalLocation: { artifactLocation, region } }) => {
          const path = fileURLToPath(new URL(artifactLocation.uri, pathToFileURL(join(root, '/'))))
          if (!existsSync(path)) return [`results.${index}: there is no file ${artifactLocation.uri}`]
          const lines = readFileSync(path, 'utf8').split('\n').length
          return region.startLine <= lines ? [] : [`results.${index}: ${artifactLocation.uri} has ${lines} lines`]
        }),
      ]),
    ]
  })
}
