import { compare, valid as validVersion } from 'semver'
import * as z from 'zod'
import { scopesFor } from '../authentication/scopes.js'
import type { World } from '../world/world.js'
import type { AppRecord } from './app-record.js'
import type { InstallationRecord } from './installation-record.js'

/** The hosts for which plain `http://` is allowed in a redirect URL. spec: §2.5, RFC 8252 */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

interface UrlRules {
  /** Hosts beside loopback for which `http:` passes. */
  alsoPlain?: string[]
  /** A redirect URI of OAuth has no fragment (RFC 6749 §3.1.2). */
  fragment?: boolean
}

/** The host as it is written: parsing would turn `127.1` into a loopback address, and wire §7 says "exactly". */
const writtenHost = (text: string) =>
  /^https?:\/\/(?:[^@/?#\\]*@)?(\[[^\]]*\]|[^:/?#\\]*)/i.exec(text)?.[1]?.toLowerCase() ?? ''

/** What is wrong with `text` as a URL of a manifest; undefined when nothing is. spec: §2.5 rule 5, wire: §7 "plain http" */
function urlFault(text: string, { alsoPlain = [], fragment = false }: UrlRules): string | undefined {
  if (!URL.canParse(text) || /\s/.test(text)) return 'must be an absolute URL'
  const { protocol } = new URL(text)
  if (!/^https?:\/\//i.test(text)) return 'must be an https URL'
  if (!fragment && text.includes('#')) return 'must not have a fragment'
  if (protocol === 'https:') return undefined
  const host = writtenHost(text)
  if (LOOPBACK.has(host) || alsoPlain.includes(host)) return undefined
  return 'must be an https URL; http is allowed for localhost, 127.0.0.1 and [::1] only'
}

const url = (rules: UrlRules) =>
  z.string().superRefine((text, context) => {
    const message = urlFault(text, rules)
    if (message) context.addIssue({ code: 'custom', message })
  })

const permission = z.union(
  [z.string().min(1), z.looseObject({ permission: z.string().min(1), purpose: z.string().optional() })],
  {
    error: 'must be a permission name, or { permission, purpose }',
  },
)

/** A semantic version as it is written: `1.2.0`, `1.2.0-rc.1+build.5`; no `v` in front. */
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
    message: 'must hold at least one that maps to an install scope, such as "elements:read", with oauth.install',
    holds: ({ oauth, permissions }) =>
      oauth?.install !== true || among(permissions, (names) => scopesFor('install', names).length > 0),
  },
  {
    path: ['permissions'],
    message: 'must hold "openid" with oauth.authorize',
    holds: ({ oauth, permissions }) =>
      oauth?.authorize === undefined || among(permissions, (names) => names.includes('openid')),
  },
]

/** Whether the permissions are as `holds` wants them; true too when they are not sound, which is a fault of its own. */
function among(permissions: unknown, holds: (names: string[]) => boolean): boolean {
  const read = z.array(permission).default([]).safeParse(permissions)
  return !read.success || holds(permissionNames({ permissions: read.data }))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the rules between fields can be asked at all: also when single fields are at fault, so that all is said at once. */
const canBeJudged = ({ value }: { value: unknown }) =>
  isObject(value) && (!('oauth' in value) || value.oauth === undefined || isObject(value.oauth))

/**
 * The schema of a manifest, with every rule of spec §2.5. Unknown fields are kept.
 * @param trustHosts the setting `trust_hosts`: hosts for which plain http passes. wire: §7
 */
export const manifestSchema = (trustHosts: string[]) => {
  const alsoPlain = [...trustHosts.map((host) => host.toLowerCase()), 'host.docker.internal']
  const page = url({ alsoPlain, fragment: true })
  const fields = z.looseObject({
    id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores'),
    name: z.string().min(1),
    version: z.string().refine(isVersion, 'must be a semantic version such as "1.0.0"'),
    description: z.string().optional(),
    permissions: z.array(permission).default([]),
    oauth: z
      .looseObject({
        install: z.literal(true, { error: 'must be true when it is present' }).optional(),
        authorize: z
          .looseObject({ redirect_uris: z.array(url({ alsoPlain })).min(1, 'must hold at least one URL') })
          .optional(),
      })
      .optional(),
    webhook: z.looseObject({ url: page, events: z.array(z.string().min(1)).optional() }).optional(),
    post_install_action: z.looseObject({ type: z.string().optional(), url: page }).optional(),
  })
  return rules.reduce(
    (schema, { holds, path, message }) =>
      schema.refine((manifest) => holds(manifest as Unchecked), { path, message, when: canBeJudged }),
    fields,
  )
}

export type Manifest = z.output<ReturnType<typeof manifestSchema>>

const permissionNames = ({ permissions }: Pick<Manifest, 'permissions'>): string[] =>
  permissions.map((entry) => (typeof entry === 'string' ? entry : entry.permission))

/** The scopes of one grant that a manifest declares. spec: §5.3 */
export const manifestScopes = (manifest: Manifest, grant: 'install' | 'authorize') =>
  scopesFor(grant, permissionNames(manifest))

/** Records keep a manifest that its schema has let through. */
const manifestIn = (version: AppRecord['versions'][number]) => version.manifest as unknown as Manifest

/** The newest by semver precedence; of equals the one that was pushed last. fixtures: "Newest" */
export const newestOf = <V extends { version: string }>(versions: V[]): V | undefined =>
  versions.reduce<V | undefined>(
    (newest, each) => (newest && compare(newest.version, each.version) > 0 ? newest : each),
    undefined,
  )

/** The manifest of the newest version. */
export const newestManifest = (app: AppRecord): Manifest =>
  manifestIn(newestOf(app.versions) as AppRecord['versions'][number])

export function manifestOf(app: AppRecord, version: string): Manifest | undefined {
  const found = app.versions.find((candidate) => candidate.version === version)
  return found && manifestIn(found)
}

/** The manifest that is in force where the app is installed. */
export function installedManifest(
  world: World,
  installation: Pick<InstallationRecord, 'app' | 'version'>,
): Manifest | undefined {
  const app = world.store.apps.get(installation.app)
  return app && manifestOf(app, installation.version)
}

/** What the platform would refuse in a manifest that the emulator lets pass. wire: §7 "plain http" */
export function manifestWarnings(manifest: Manifest): { path: string; message: string }[] {
  const { oauth, post_install_action } = manifest
  const redirects: [string, string][] = (oauth?.authorize?.redirect_uris ?? []).map((uri, index) => [
    `oauth.authorize.redirect_uris.${index}`,
    uri,
  ])
  if (post_install_action) redirects.push(['post_install_action.url', post_install_action.url])
  return redirects
    .filter(([, uri]) => urlFault(uri, { fragment: true }) !== undefined)
    .map(([path]) => ({
      path,
      message: 'the platform refuses plain http here: only loopback hosts may do without https',
    }))
}

/** The same of every version of every app, as sentences. */
export const worldManifestWarnings = (world: World): string[] =>
  [...world.store.apps.all].flatMap((app) =>
    app.versions.flatMap((version) =>
      manifestWarnings(manifestIn(version)).map(
        ({ path, message }) => `${app.id} ${version.version}, ${path}: ${message}`,
      ),
    ),
  )

export const findApp = (world: World, idOrClientId: string): AppRecord | undefined =>
  world.store.apps.get(idOrClientId) ?? world.store.apps.by('client_id', idOrClientId)
