import type { SurfaceEntry } from '../../emulator/serving/surface.js'
import { isBelow } from '../../foundation/http/is-below.js'

/**
 * The faces of the emulator: a path is the first one's that owns it. Each is loaded with its first request, or in a quiet
 * moment after the start, which needs none of them.
 */
export const surfaces: SurfaceEntry[] = [
  {
    owns: (path) => path === '/healthz',
    load: async () => (await import('../admin/health.surface.js')).healthSurface,
  },
  {
    owns: (path) => isBelow(path, '/v0'),
    async load() {
      const [{ apiSurface }, { apiRoutes }] = await Promise.all([
        import('../../platform/api/api.surface.js'),
        import('../../platform/api/api.routes.js'),
      ])
      return apiSurface(apiRoutes)
    },
  },
  {
    owns: (path) => path === '/oauth/authorize',
    async load() {
      const { authorizeSurface, authorizeRoutes } = await import('../../platform/web-app/authorize.routes.js')
      return authorizeSurface(authorizeRoutes)
    },
  },
  {
    owns: (path) => path.startsWith('/oauth/') || path.startsWith('/.well-known/'),
    async load() {
      const [{ oauthSurface }, { oauthRoutes }] = await Promise.all([
        import('../../platform/oauth/oauth.surface.js'),
        import('../../platform/oauth/oauth.routes.js'),
      ])
      return oauthSurface(oauthRoutes)
    },
  },
  {
    owns: (path) => isBelow(path, '/_admin') || isBelow(path, '/_console'),
    async load() {
      const [{ adminSurface }, { adminRoutes }, { streamRoutes }, { consoleRoutes }] = await Promise.all([
        import('../admin/admin.surface.js'),
        import('../admin/admin.routes.js'),
        import('../admin/stream.routes.js'),
        import('../admin/console.routes.js'),
      ])
      return adminSurface([...adminRoutes, ...streamRoutes, ...consoleRoutes])
    },
  },
  {
    owns: (path) => path.startsWith('/_inbox/'),
    async load() {
      const [{ inboxSurface }, { inboxRoutes }] = await Promise.all([
        import('../../platform/webhooks/inbox.surface.js'),
        import('../../platform/webhooks/inbox.routes.js'),
      ])
      return inboxSurface(inboxRoutes)
    },
  },
  {
    owns: () => true,
    async load() {
      const [{ webSurface }, { webRoutes }] = await Promise.all([
        import('../../platform/web-app/web.surface.js'),
        import('../../platform/web-app/web.routes.js'),
      ])
      return webSurface(webRoutes)
    },
  },
]
