import { reachFlag } from '../../emulator/world/reach-flag.js'
import type { World } from '../../emulator/world/world.js'
import { newestVersion } from '../../foundation/schema/newest-version.js'
import type { RecordOf } from '../../foundation/store/kind.js'

type Manifest = RecordOf<'apps'>['versions'][number]['manifest']

/** Tells, for the journal, that the version which was pushed last has something, but is not the newest. */
export function lowerVersionAdvice(
  { versions }: RecordOf<'apps'>,
  hasIt: (manifest: Manifest) => boolean,
): string | undefined {
  const [newest, last] = [newestVersion(versions), versions.at(-1)]
  if (!newest || !last || newest === last || !hasIt(last.manifest)) return undefined
  return `Version ${last.version}, which was pushed last, has it, but is lower than ${newest.version}: raise it, push it and upgrade`
}

/** Tells how an installation gets what its version lacks, for the journal; undefined unless the newest version has it. */
export function upgradeAdvice(
  world: Pick<World, 'addresses' | 'store'>,
  { app, organization, version }: Pick<RecordOf<'installations'>, 'app' | 'organization' | 'version'>,
  hasIt: (manifest: Manifest) => boolean,
): string | undefined {
  const newest = newestVersion(world.store.apps.get(app)?.versions ?? [])
  if (!newest || newest.version === version || !hasIt(newest.manifest)) return undefined
  const command = `mockademy upgrade ${app} ${organization}${reachFlag(world)}`
  return `Version ${newest.version} has it, but ${organization} has version ${version}: ${command}`
}
