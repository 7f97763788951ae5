import { isDeepStrictEqual } from 'node:util'
import type { CallBody, CallResult } from '../../../control/admin/calls.js'
import type { ControlCaller } from '../../../control/client/caller.js'
import { AdminError } from '../../../control/client/errors.js'
import { environmentFor } from '../../../control/start/environment.js'
import { installScope } from '../../../platform/apps/manifest.js'
import { wrongUse } from '../command/command.js'
import type { AppDescription, AppSource } from './app-source.js'

type Installation = CallResult<'listInstallations'>[number]
type App = CallResult<'listApps'>[number]
type AppVersion = CallResult<'getApp'>['versions'][number]

export type Session = Awaited<ReturnType<typeof createSession>>

interface SessionOptions {
  url: string
  call: ControlCaller
  source: AppSource
  /** Slug of the organization in which the app is installed; the first one when left out. */
  organization: string | undefined
  /** Flag with which a command reaches the emulator, after a blank; empty where it needs none. */
  reach: string
  hasKeys: boolean
  print(line: string): void
}

/** @throws CommandFailure 2 for an organization that does not exist. */
export async function createSession({ organization, ...options }: SessionOptions) {
  const { call, source, reach, hasKeys, print, url } = options
  const slugs = (await call('listOrganizations')).map(({ slug }) => slug)
  if (organization !== undefined && !slugs.includes(organization)) {
    throw wrongUse(`--organization "${organization}": there is no such organization; there are: ${slugs.join(', ')}`)
  }
  const slug = organization ?? slugs[0]
  const { settings } = await call('world')
  /** Client id and secrets once the app exists, so that it is the same one when it is created again. */
  let credentials: Partial<AppDescription> = {}
  let isRegistered = false
  /** Names of the credentials that the file has and the app has not. */
  let ignored: (typeof credentialNames)[number][] = []

  const session = {
    ...options,
    id: source.id,
    /** Undefined when the world has no organization. */
    organization: slug,
    /** The emulator's rules of hosts that it calls. */
    targets: settings,
    webhook: undefined as string | undefined,

    /** Creates the app, or pushes its manifest when it differs, and prints what it did unless that is known. @throws AdminError for a manifest that is not valid. */
    async register(): Promise<void> {
      // A file that could not be read is worth a line when it can be read again.
      const described = await source.read().catch(forgetRegistration)
      const before = (await call('listApps')).find(({ id }) => id === source.id)
      const after = await save(before, described).catch(nameFileIn).catch(forgetRegistration)
      session.webhook = after.versions.at(-1)?.manifest.webhook?.url
      const secrets = await call('getAppSecrets', { params: { app: source.id } })
      credentials = { client_id: after.client_id, ...secrets }
      warnOfIgnored(described)
      await announce(before, after, described.manifest.version)
    },

    async installation(): Promise<Installation | undefined> {
      if (slug === undefined) return undefined
      // By its organization alone: after a reset, the world may not have the app yet.
      const installed = await call('listInstallations', { query: { organization: slug, state: 'installed' } })
      return installed.find(({ app }) => app === source.id)
    },

    /** Installs the app and prints how it went. A rejected webhook is printed where every one is. */
    async install(): Promise<void> {
      if (slug === undefined) return print('not installed: the world has no organization')
      const { delivery } = await call('install', { body: { app: source.id, organization: slug } })
      printAcknowledgement(`installed ${source.id} in ${slug}`, delivery)
    },

    async upgrade({ id }: Installation): Promise<void> {
      const { installation, delivery } = await call('upgrade', { params: { id } })
      printAcknowledgement(`upgraded ${source.id} in ${slug} to ${installation.version}`, delivery)
    },

    async environment(): Promise<Record<string, string>> {
      const [{ app_url }, { organizations = [] }] = await Promise.all([call('world'), call('getState')])
      const own = (organizations as { slug: string; api_key?: string | null }[]).find((each) => each.slug === slug)
      const { client_id, client_secret, signing_secret } = credentials
      return environmentFor({ url, app_url, api_key: own?.api_key, client_id, client_secret, signing_secret })
    },
  }

  function forgetRegistration(error: unknown): never {
    isRegistered = false
    throw error
  }

  async function save(before: App | undefined, described: AppDescription): Promise<CallResult<'pushManifest'>> {
    const { manifest } = described
    if (!before) return call('createApp', { body: { ...described, ...credentials } as CallBody<'createApp'> })
    // A push without a difference would change the app's record after each restore of an audit or a sweep.
    if (isRegistered && isDeepStrictEqual(before.versions.at(-1)?.manifest, manifest)) return before
    return call('pushManifest', { params: { app: source.id }, body: manifest as CallBody<'pushManifest'> })
  }

  /** Names the file in the refusal of what it has. */
  function nameFileIn(error: unknown): never {
    if (!(error instanceof AdminError) || !error.problem.errors) throw error
    throw new AdminError(error.status, { ...error.problem, title: `${source.file}: ${error.problem.title}` })
  }

  /** Prints what was done. An audit restores the world repeatedly, so only changes are printed. */
  async function announce(before: App | undefined, after: CallResult<'pushManifest'>, version: unknown): Promise<void> {
    const isSame = before !== undefined && isDeepStrictEqual(manifestsOf(before), manifestsOf(after))
    if (isSame && isRegistered) return
    isRegistered = true
    const done = isSame ? 'found' : before ? 'pushed' : 'created'
    print(`${done} ${source.id} ${version} from ${source.file} (client id ${after.client_id})`)
    for (const { path, message } of after.warnings ?? []) print(`warning: ${path}: ${message}`)
    await reportInstalled(version, after.versions.at(-1), before !== undefined && !isSame)
  }

  /** Warns once of each credential in the file that differs from the one in use. */
  function warnOfIgnored(described: AppDescription): void {
    const known = ignored
    ignored = credentialNames.filter((name) => described[name] !== undefined && described[name] !== credentials[name])
    for (const name of ignored.filter((each) => !known.includes(each))) {
      print(`warning: ${name} in ${source.file} differs from the one in use, which stays until you start with --fresh`)
    }
  }

  /** Prints how the installation differs from the newest version, and how to bring it there. @param isPushed a changed manifest */
  async function reportInstalled(given: unknown, newest: AppVersion | undefined, isPushed: boolean): Promise<void> {
    if (newest?.version !== given) {
      print(
        `warning: ${given} in ${source.file} has no effect: installs and upgrades use the newest version, ${newest?.version}. Raise the version, or start with --fresh`,
      )
    }
    const installed = await session.installation()
    if (installed && installed.version !== newest?.version) {
      const way = hasKeys ? 'u' : `mockademy upgrade ${source.id} ${slug}${reach}`
      print(`${slug} has ${source.id} ${installed.version}: ${way} upgrades it to ${newest?.version}`)
    } else if (isPushed && installed && newest && installed.scope !== installScope(newest.manifest)) {
      const way = hasKeys ? 'press u, or press i twice' : `run mockademy upgrade ${source.id} ${slug}${reach}`
      print(`${slug} keeps the scopes of its installation (${installed.scope || 'none'}): raise the version and ${way}`)
    }
  }

  function printAcknowledgement(done: string, delivery: CallResult<'getDelivery'> | null): void {
    const last = delivery?.attempts.at(-1)
    if (!delivery) print(`${done}: its manifest has no webhook`)
    else if (delivery.state === 'acknowledged' && last) {
      print(`${done}: acknowledged with ${last.status} in ${Math.round(last.duration)} ms`)
    } else if (!last) print(`${done}: its webhook is ${delivery.state}`)
  }

  return session
}

const credentialNames = ['client_id', 'client_secret', 'signing_secret'] as const

const manifestsOf = ({ versions }: CallResult<'getApp'>) => versions.map(({ manifest }) => manifest)
