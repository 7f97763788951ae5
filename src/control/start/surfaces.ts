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
 * The faces of the emulator: a path is the first one's that owns it. Each is loaded with its first request, or in a quiet
 * moment after the start, which needs none of them.
 */
export const surfaces: SurfaceMount[] = [
  {
    at: /^\/healthz$/,
    load: async () => (await import('../admin/health.surface.js')).healthSurface,
  },
  {
    at: '/v0',
    async load() {
      const [{ apiSurface }, { apiRoutes }] = await Promise.all([
        import('../../platform/api/api.surface.js'),
        import('../../platform/api/api.routes.js'),
      ])
      return apiSurface(apiRoutes)
    },
  },
  {
    at: /^\/oauth\/authorize$/,
    async load() {
      const { authorizeSurface, authorizeRoutes } = await import('../../platform/web-app/authorize.routes.js')
      return authorizeSurface(authorizeRoutes)
    },
  },
  {
    at: ['/oauth', '/.well-known'],
    async load() {
      const [{ oauthSurface }, { oauthRoutes }] = await Promise.all([
        import('../../platform/oauth/oauth.surface.js'),
        import('../../platform/oauth/oauth.routes.js'),
      ])
      return oauthSurface(oauthRoutes)
    },
  },
  controlSurface,
  {
    at: '/_inbox',
    async load() {
      const [{ inboxSurface }, { inboxRoutes }] = await Promise.all([
        import('../../platform/webhooks/inbox.surface.js'),
        import('../../platform/webhooks/inbox.routes.js'),
      ])
      return inboxSurface(inboxRoutes)
    },
  },
  {
    at: '/',
    async load() {
      const [{ webSurface }, { webRoutes }] = await Promise.all([
        import('../../platform/web-app/web.surface.js'),
        import('../../platform/web-app/web.routes.js'),
      ])
      return webSurface(webRoutes)
    },
  },
]
