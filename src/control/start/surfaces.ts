import { loadSurface } from '../../emulator/serving/http-app.js'
import type { SurfaceMount } from '../../emulator/serving/surface.js'
import type { World } from '../../emulator/world/world.js'
import { clearTimeout, nextTurn, setTimeout } from '../../foundation/time/real-timers.js'

export const controlSurface: SurfaceMount = {
  at: ['/_admin', '/_console'],
  load: async () => (await import('../admin/admin.surface.js')).adminSurface,
}

/** The surfaces of an emulator, loaded at first use or by `warmUp`. The first whose path matches has the request. */
export const surfaces: SurfaceMount[] = [
  { at: /^\/healthz$/, load: async () => (await import('../admin/health.surface.js')).healthSurface },
  { at: '/v0', load: async () => (await import('../../platform/api/api.surface.js')).apiSurface },
  {
    at: /^\/oauth\/authorize(?=\/|$)/,
    load: async () => (await import('../../platform/web-app/authorize.surface.js')).authorizeSurface,
  },
  {
    at: ['/oauth', '/.well-known'],
    load: async () => (await import('../../platform/oauth/oauth.surface.js')).oauthSurface,
  },
  controlSurface,
  { at: '/_inbox', load: async () => (await import('../../platform/webhooks/inbox.surface.js')).inboxSurface },
  { at: '/', load: async () => (await import('../../platform/web-app/web.surface.js')).webSurface },
]

/** Delay of the warm-up, so that it does not slow the first requests; short runs end before it. */
const WARM_UP_DELAY_MS = 2_000

/** Prepares the signing key and loads each surface after the first requests. @returns a function that stops it. */
export function warmUp({ keys, closing }: Pick<World, 'keys' | 'closing'>): () => void {
  // Jest lets no module be loaded after the end of a test file, which an emulator that was not closed survives.
  if (process.env.JEST_WORKER_ID !== undefined) return () => {}
  const prepare = async () => {
    keys.prepare()
    for (const mount of surfaces) {
      await nextTurn()
      if (closing.aborted) return
      await loadSurface(mount)
    }
  }
  // If its files are gone, e.g. after an update of the package, a surface fails its requests, not the process.
  const timer = setTimeout(() => void prepare().catch(() => undefined), WARM_UP_DELAY_MS)
  // Does not keep the process alive.
  timer.unref()
  return () => clearTimeout(timer)
}
