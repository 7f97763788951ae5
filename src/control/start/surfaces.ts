import type { SurfaceMount } from '../../emulator/serving/surface.js'

/** The control API and the console's files. */
export const controlSurface: SurfaceMount = {
  at: ['/_admin', '/_console'],
  async load() {
    const [{ adminSurface }, { adminRoutes }, { streamRoutes }, { consoleRoutes }] = await Promise.all([
      import('../admin/admin.surface.js'),
      import('../admin/admin.routes.js'),
      import('../admin/stream.routes.js'),
      import('../admin/console.routes.js'),
    ])
    return adminSurface([...adminRoutes, ...streamRoutes, ...consoleRoutes])
  },
}

/**
 * The faces of the emulator: a path is the first one's that owns it, and the last one's otherwise. Each is loaded with its
 * first request, or in a quiet moment after the start, which needs none of them.
 */
export const surfaces: SurfaceMount[] = [
  { at: /^\/healthz$/, load: async () => (await import('../admin/health.surface.js')).healthSurface },
  { at: '/v0', load: async () => (await import('../../platform/api/api.surface.js')).apiSurface },
  {
    at: /^\/oauth\/authorize$/,
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
