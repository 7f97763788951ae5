import inc from 'semver/functions/inc.js'
import type { Admin } from '../../../control/client/admin.js'
import { AdminError } from '../../../control/client/errors.js'
import { AuditFailure } from './failures.js'
import type { AuditFile } from './file.js'

export type AppUnderTest = Awaited<ReturnType<typeof findAppUnderTest>>
export type ManifestPart = keyof AppUnderTest['parts']

/** @throws AuditFailure when there is no such app. */
export async function findAppUnderTest(admin: Admin, name: string) {
  const app = await admin.getApp(name).catch((error: unknown) => {
    if (error instanceof AdminError && error.status === 404) throw new AuditFailure(`app: ${error.message}`)
    throw error
  })
  const { client_secret, signing_secret } = await admin.getAppSecrets(name)
  const newest = app.versions.at(-1)
  if (!newest) throw new AuditFailure(`app: ${name} has no version`)
  const { manifest } = newest
  return {
    id: app.id,
    clientId: app.client_id,
    clientSecret: client_secret,
    signingSecret: signing_secret,
    /** The version that checks install. */
    version: newest.version,
    /** The version that they upgrade to. */
    nextVersion: inc(newest.version, 'patch') as string,
    manifest,
    /** Empty when the manifest has none; the checks that need it are skipped then. */
    webhook: manifest.webhook?.url ?? '',
    callbacks: manifest.oauth?.authorize?.redirect_uris ?? [],
    parts: {
      webhook: manifest.webhook,
      'oauth.install': manifest.oauth?.install,
      'oauth.authorize': manifest.oauth?.authorize,
      post_install_action: manifest.post_install_action,
    },
  }
}

/** Returns the addresses of the app in an audit file, by their keys. */
export const declaredAddresses = ({ start, whoami, probe, list, logout }: AuditFile) =>
  Object.entries({
    start,
    'whoami.url': whoami?.url,
    'probe.url': probe?.url,
    'list.url': list?.url,
    'logout.url': logout?.url,
  })

/** Returns the origins of all addresses at which the app is known to respond. */
export function originsOf(app: AppUnderTest, file: AuditFile): string[] {
  const { post_install_action } = app.manifest
  const declared = declaredAddresses(file).map(([, address]) => address)
  const addresses = [app.webhook, ...app.callbacks, post_install_action?.url, ...declared]
  return [...new Set(addresses.flatMap((address) => (address ? [new URL(address).origin] : [])))]
}
