import { setImmediate as turn } from 'node:timers/promises'
import { loadSurface } from '../../emulator/serving/app.js'
import type { SurfaceMount } from '../../emulator/serving/surface.js'
import type { World } from '../../emulator/world/world.js'

/** Real milliseconds after a start in which whoever waited for it asks first. */
const QUIET = 100

/**
 * Makes what the first requests will want, in a moment when nobody waits: the signing key, and each surface in a turn of
 * its own. @returns what stops it.
 */
export function warmUp(world: World, mounts: SurfaceMount[]): () => void {
  const timer = setTimeout(async () => {
    world.keys.prepare()
    for (const mount of mounts) {
      await turn()
      if (world.closing.aborted) return
      await loadSurface(mount)
    }
  }, QUIET)
  // Nobody stays for it.
  timer.unref()
  return () => clearTimeout(timer)
}
