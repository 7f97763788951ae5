import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { isObject } from '../../foundation/schema/is-object.js'
import type { Path } from '../../foundation/schema/issue.js'
import { hasReference } from './references.js'
import type { Scenario, ScenarioIssue, Step } from './scenario.js'

type KindOfName = 'app' | 'organization' | 'user' | 'snapshot'

/** What a world has, each under every name that it goes by. */
export type Names = Record<KindOfName, string[]>

/** Fields that name something, in whichever step they stand. */
const fields: Record<string, KindOfName> = { app: 'app', organization: 'organization', user: 'user', installer: 'user' }

/** Names that neither the world has nor a step before makes. Once the world becomes another, nothing is known of it. */
export function nameIssues({ steps }: Scenario, world: Names): ScenarioIssue[] {
  const known: Names = { ...world }
  const issues: ScenarioIssue[] = []
  for (const [index, step] of steps.entries()) {
    const at: Path = ['steps', index, step.kind]
    for (const { path, kind, name } of namesIn(step)) {
      if (known[kind].includes(name)) continue
      issues.push({
        path: [...at, ...path],
        message: `there is no ${kind} ${JSON.stringify(name)}${didYouMean(name, known[kind])}`,
      })
    }
    if (makesAnotherWorld(step)) break
    for (const [kind, names = []] of Object.entries(madeBy(step)) as [KindOfName, (string | undefined)[]][]) {
      known[kind] = [...known[kind], ...names.filter((each) => each !== undefined)]
    }
  }
  return issues
}

function namesIn({ kind, body }: Step): { path: Path; kind: KindOfName; name: string }[] {
  if (!isObject(body) || ['push', 'organization', 'user', 'fixtures', 'snapshot'].includes(kind)) return []
  if (kind === 'restore') return [{ path: ['name'], kind: 'snapshot' as const, name: body.name }].filter(isPlain)
  if (kind === 'request') return [{ path: ['as'], kind: 'organization' as const, name: body.as }].filter(isPlain)
  const found = Object.entries(fields).map(([field, of]) => ({ path: [field] as Path, kind: of, name: body[field] }))
  const match = kind === 'fault' && isObject(body.match) ? body.match : {}
  const matched = Object.entries(fields).map(([field, of]) => ({
    path: ['match', field],
    kind: of,
    name: match[field],
  }))
  return [...found, ...matched].filter(isPlain)
}

const isPlain = <N extends { name: unknown }>(named: N): named is N & { name: string } =>
  typeof named.name === 'string' && !hasReference(named.name)

/** What a reference stands for is not known before the run either. */
function makesAnotherWorld({ kind, body }: Step): boolean {
  if (kind === 'reset' || kind === 'restore') return true
  if (kind !== 'request') return ['organization', 'user', 'snapshot'].includes(kind) && hasReference(body)
  const { method, path, body: sent } = body as { method?: string; path: string; body?: unknown }
  return path.startsWith('/_admin') && (method ?? (sent === undefined ? 'GET' : 'POST')) !== 'GET'
}

interface FixtureNames {
  organizations?: { slug?: string }[]
  users?: { id?: string; email?: string }[]
  apps?: { client_id?: string; manifest?: { id?: string }; versions?: { id?: string }[] }[]
}

/** What a step adds to the world, each under every name that it goes by. */
function madeBy({ kind, body }: Step): Partial<Record<KindOfName, (string | undefined)[]>> {
  const { slug, id, email, name } = body as Record<string, string | undefined>
  const { organizations = [], users = [], apps = [] } = body as FixtureNames
  switch (kind) {
    case 'organization':
      return { organization: [slug] }
    case 'user':
      return { user: [id, email] }
    case 'snapshot':
      return { snapshot: [name] }
    case 'fixtures':
      return {
        organization: organizations.map((each) => each.slug),
        user: users.flatMap((each) => [each.id, each.email]),
        app: apps.flatMap(({ client_id, manifest, versions = [] }) => [
          client_id,
          ...[manifest, ...versions].map((version) => version?.id),
        ]),
      }
    default:
      return {}
  }
}
