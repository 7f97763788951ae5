import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { paths } from './mockademy.js'

const url = process.env.MOCKADEMY_URL ?? 'http://127.0.0.1:4600'
const { GET, POST, DELETE } = createClient<paths>({ baseUrl: url })

const { data: sandbox, error } = await POST('/_admin/sandboxes', {
  body: { app: process.env.PLATFORM_CLIENT_ID ?? 'notes' },
})
if (!sandbox) throw new Error(JSON.stringify(error))
const organization = sandbox.organization.slug
const headers = { authorization: `Bearer ${sandbox.credentials?.access_token}` }
/** Sample code of an app. */
const readCourses = async () => (await fetch(`${url}/v0/courses`, { headers })).status

assert.equal(await readCourses(), 200)
await POST('/_admin/faults', { body: { match: { surface: 'api', organization }, effect: 'unavailable', times: 1 } })
assert.equal(await readCourses(), 503)
await POST('/_admin/tokens/expire', { body: { organization } })
assert.equal(await readCourses(), 401)

const { data: findings } = await GET('/_admin/findings', { params: { query: { organization, level: 'error' } } })
assert.deepEqual(findings?.data, [])
await DELETE('/_admin/sandboxes/{id}', { params: { path: { id: sandbox.id } } })
