import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { type PathIssue, valueAt } from '../../foundation/schema/issue.js'
import { hasReference } from './references.js'
import type { Scenario, Step } from './scenario.js'
import { definitionOf, type Names, namingFields } from './steps.js'

/** Returns the names that neither the world has nor an earlier step makes, up to a step that replaces the world. */
export function unknownNameIssues({ steps }: Scenario, world: Names): PathIssue[] {
  const known: Names = { ...world }
  const issues: PathIssue[] = []
  for (const [index, step] of steps.entries()) {
    const { names = namingFields, makes } = definitionOf(step.kind)
    for (const [field, kind] of Object.entries(names)) {
      const path = field.split('.')
      const name = valueAt(step.body, path)
      if (typeof name !== 'string' || hasReference(name) || known[kind].includes(name)) continue
      const message = `there is no ${kind} ${JSON.stringify(name)}${didYouMean(name, known[kind])}`
      issues.push({ path: ['steps', index, step.kind, ...path], message })
    }
    if (replacesWorld(step)) break
    for (const [kind, made] of Object.entries(makes?.(step.body as never) ?? {})) {
      known[kind as keyof Names] = [...known[kind as keyof Names], ...made.filter((name) => name !== undefined)]
    }
  }
  return issues
}

/** Returns true when the names of the world are unknown after a step. Names given as references are unknown, too. */
function replacesWorld({ kind, body }: Step): boolean {
  if (kind === 'reset' || kind === 'restore') return true
  if (kind !== 'request') return ['organization', 'user', 'snapshot'].includes(kind) && hasReference(body)
  const { method, path, body: sent } = body as { method?: string; path: string; body?: unknown }
  return path.startsWith('/_admin') && (method ?? (sent === undefined ? 'GET' : 'POST')) !== 'GET'
}
