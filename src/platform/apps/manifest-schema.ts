import validVersion from 'semver/functions/valid.js'
import * as z from 'zod'
import { isObject } from '../../foundation/schema/is-object.js'
import { documentId } from '../../foundation/schema/schema-words.js'
import { permissionNames, scopesFor } from '../authentication/scopes.js'
import { type UrlRules, urlIssue } from './manifest-urls.js'

const url = (rules: UrlRules) =>
  z.string().superRefine((text, context) => {
    const message = urlIssue(text, rules)
    if (message) context.addIssue(message)
  })

const permission = z.union(
  [z.string().min(1), z.looseObject({ permission: z.string().min(1), purpose: z.string().optional() })],
  { error: 'must be a permission name, or { permission, purpose }' },
)

/** Returns true for a semantic version as it is written: `1.2.0`, `1.2.0-rc.1+build.5`; no `v` in front. */
const isVersion = (text: string) => /^\d\S*$/.test(text) && validVersion(text) !== null

/** A manifest whose fields may be anything: what the rules between fields look at. */
interface Unchecked {
  permissions?: unknown
  webhook?: unknown
  oauth?: { install?: unknown; authorize?: unknown }
}

interface Rule {
  path: string[]
  message: string
  /** False only when the parts that the rule needs are sound and break it. */
  holds: (manifest: Unchecked) => boolean
}

/** The rules between fields. spec: §2.5 rules 1 to 4 */
const rules: Rule[] = [
  {
    path: ['oauth'],
    message: 'must declare at least one of install and authorize',
    holds: ({ oauth }) => oauth?.install !== undefined || oauth?.authorize !== undefined || oauth === undefined,
  },
  {
    path: ['webhook'],
    message: 'is required with oauth.install, because credentials are delivered by webhook',
    holds: ({ oauth, webhook }) => oauth?.install !== true || webhook !== undefined,
  },
  {
    path: ['permissions'],
    message:
      'must include at least one permission that maps to an install scope, such as "elements:read", with oauth.install',
    holds: ({ oauth, permissions }) =>
      oauth?.install !== true || permissionsSatisfy(permissions, (names) => scopesFor('install', names).length > 0),
  },
  {
    path: ['permissions'],
    message: 'must include "openid" with oauth.authorize',
    holds: ({ oauth, permissions }) =>
      oauth?.authorize === undefined || permissionsSatisfy(permissions, (names) => names.includes('openid')),
  },
]

const permissionList = z.array(permission).default([])

/** Returns true when the permissions satisfy `holds`, and when they are not valid, which is an issue of its own. */
function permissionsSatisfy(permissions: unknown, holds: (names: string[]) => boolean): boolean {
  const read = permissionList.safeParse(permissions)
  return !read.success || holds(permissionNames({ permissions: read.data }))
}

/** Returns true when the rules between fields can be checked: also when single fields are invalid, so that all issues are reported at once. */
const canBeJudged = ({ value }: { value: unknown }) =>
  isObject(value) && (!('oauth' in value) || value.oauth === undefined || isObject(value.oauth))

function schemaTrusting(trustHosts: string[]) {
  const alsoPlain = [...trustHosts.map((host) => host.toLowerCase()), 'host.docker.internal']
  const page = url({ alsoPlain, fragment: true })
  const hint = ', and for host.docker.internal and the hosts of the setting trust_hosts'
  const fields = z.looseObject({
    id: documentId,
    name: z.string().min(1),
    version: z.string().refine(isVersion, 'must be a semantic version such as "1.0.0"'),
    description: z.string().optional(),
    permissions: permissionList,
    oauth: z
      .looseObject({
        install: z.literal(true, { error: 'must be true when it is present' }).optional(),
        authorize: z
          .looseObject({ redirect_uris: z.array(url({ alsoPlain })).min(1, 'must contain at least one URL') })
          .optional(),
      })
      .optional(),
    webhook: z
      .looseObject({ url: url({ alsoPlain, hint, fragment: true }), events: z.array(z.string().min(1)).optional() })
      .optional(),
    post_install_action: z.looseObject({ type: z.string().optional(), url: page }).optional(),
  })
  return rules.reduce(
    (schema, { holds, path, message }) =>
      schema.refine((manifest) => holds(manifest as Unchecked), { path, message, when: canBeJudged }),
    fields,
  )
}

/** The one made last: to make one takes longer than to parse with it, and most calls trust the same hosts. */
let made: { hosts: string; schema: ReturnType<typeof schemaTrusting> } | undefined

/**
 * The schema of a manifest, with every rule of spec §2.5. Unknown fields are kept.
 * @param trustHosts the setting `trust_hosts`: hosts for which plain http passes. wire: §7
 */
export function manifestSchema(trustHosts: string[]) {
  const hosts = trustHosts.join(' ')
  if (made?.hosts !== hosts) made = { hosts, schema: schemaTrusting(trustHosts) }
  return made.schema
}

export type Manifest = z.output<ReturnType<typeof manifestSchema>>
