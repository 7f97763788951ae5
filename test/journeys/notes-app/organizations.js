import express from 'express'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Pages that show an organization's data without a sign-in, so that you can watch the app's calls. They answer on this
 * machine alone, and a page of another origin whose name leads here gets nothing. A person who is signed in sees the
 * organization in which they installed the app, as if there were no other. Leave out of an app of your own whatever works
 * without a user.
 *
 * @param {ReturnType<typeof import('./platform.js').createPlatform>} platform
 * @param {ReturnType<typeof import('./installations.js').createInstallations>} installations
 * @param {(request: express.Request) => import('./sessions.js').User | undefined} userOf
 */
export function createOrganizations(platform, installations, userOf) {
  const router = express.Router()

  router.use((request, response, next) => {
    const isLocal = LOOPBACK.includes(request.hostname) && !request.get('X-Forwarded-For')
    if (isLocal) next()
    else response.status(403).json({ error: 'These addresses are for this machine alone' })
  })

  router.use('/:organization', (request, response, next) => {
    const user = userOf(request)
    const isOwn = !user || installations.of(request.params.organization)?.installer === user.sub
    if (isOwn) next()
    else response.status(404).json({ error: 'There is no such organization' })
  })

  router.get('/:organization/courses', async ({ params: { organization } }, response) => {
    send(response, await platform.get(organization, '/v0/courses'))
  })

  router.get('/:organization/elements', async ({ params: { organization } }, response) => {
    send(response, await platform.list(organization, '/v0/elements'))
  })

  router.get('/:organization/elements/:id', async ({ params: { organization, id } }, response) => {
    // An id such as `..` would lead to another address of the API.
    if (!/^[\w-]{1,64}$/.test(id)) response.status(404).json({ error: 'There is no such element' })
    else send(response, await platform.get(organization, `/v0/elements/${id}`))
  })

  router.get('/:organization/members', async ({ params: { organization } }, response) => {
    send(response, await platform.get(organization, '/v0/members'))
  })

  return router
}

/** @param {express.Response} response @param {import('./platform.js').Answer} answer */
function send(response, { status, body, retryAfter }) {
  if (retryAfter !== undefined) response.set('Retry-After', String(retryAfter))
  response.status(status).json(body)
}
