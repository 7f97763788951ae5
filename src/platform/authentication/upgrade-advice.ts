import { reachFlag } from '../../emulator/world/reach-flag.js'
import type { World } from '../../emulator/world/world.js'
import { newestOf } from '../../foundation/schema/newest-version.js'
import type { RecordOf } from '../../foundation/store/kind.js'

type Manifest = RecordOf<'apps'>['versions'][number]['manifest']

/** Tells how an installation gets what its version lacks, for the journal; undefined unless the newest version has it. */
export function upgradeAdvice(
  world: Pick<World, 'addresses' | 'store'>,
  { app, organization, version }: Pick<RecordOf<'installations'>, 'app' | 'organization' | 'version'>,
  hasIt: (manifest: Manifest) => boolean,
): string | undefined {
  const newest = newestOf(world.store.apps.get(app)?.versions ?? [])
  if (!newest || newest.version === version || !hasIt(newest.manifest)) return undefined
  const command = `mockademy upgrade ${app} ${organization}${reachFlag(world)}`
  return `Version ${newest.version} has it, but ${organization} has version ${version}: ${command}`
}
