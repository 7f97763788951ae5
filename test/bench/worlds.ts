import type { FixtureDocument } from 'mockademy'

/** The API key of the organization that every world of the bench has. */
export const API_KEY = 'key_acme'
export const bearer = { authorization: `Bearer ${API_KEY}` }
export const json = { ...bearer, 'content-type': 'application/json' }

/** An element that every world has, and whose JSON is about 1 KB. */
export const ELEMENT = 'e0'
/** The module that new elements are made in; it begins empty. */
export const MODULE = 'fresh'

const A_MODULE_HOLDS = 100
const owner = { id: 'ada', email: 'ada@acme.test', first_name: 'Ada', last_name: 'Okafor', email_verified: true }

/** A world with that many elements in modules of a hundred: the same each time that it is made. */
export function worldOf(elements: number): FixtureDocument {
  const modules = Array.from({ length: Math.ceil(elements / A_MODULE_HOLDS) }, (_, module) => ({
    id: `m${module}`,
    name: `Module ${module}`,
    elements: Array.from({ length: Math.min(A_MODULE_HOLDS, elements - module * A_MODULE_HOLDS) }, (_, index) => {
      const number = module * A_MODULE_HOLDS + index
      const content = number === 0 ? 'Lorem ipsum. '.repeat(55) : `What lesson ${number} is about.`
      return { id: `e${number}`, type: 'CONTENT', name: `Lesson ${number}`, content }
    }),
  }))
  return {
    users: [owner],
    organizations: [
      {
        slug: 'acme',
        name: 'Acme',
        api_key: API_KEY,
        members: [{ user: owner.id, role: 'owner' }],
        courses: [{ id: 'course', name: 'Course', modules: [{ id: MODULE, name: 'Fresh' }, ...modules] }],
      },
    ],
  }
}

export const app = {
  client_id: 'app_notes',
  client_secret: 'notes_secret',
  signing_secret: 'notes_signing',
  redirect_uri: 'http://localhost:3000/callback',
}
export const installation = { id: 'notes-acme', access_token: 'at_acme', refresh_token: 'rt_acme' }

/** A world with an app that is installed, can sign people in, and has its webhooks sent to that address. */
export function worldWithApp(webhook: string, elements = 100): FixtureDocument {
  const { redirect_uri, ...credentials } = app
  const { id, ...tokens } = installation
  const manifest = {
    id: 'notes',
    name: 'Notes',
    version: '1.0.0',
    permissions: ['courses:read', 'elements:read', 'openid', 'profile', 'email'],
    oauth: { install: true, authorize: { redirect_uris: [redirect_uri] } },
    webhook: { url: webhook },
  }
  return {
    ...worldOf(elements),
    apps: [{ ...credentials, manifest }],
    installations: [{ id, app: 'notes', organization: 'acme', credentials: tokens }],
  }
}

/** The body of a new element. */
export const newElement = (name: string) =>
  JSON.stringify({ module: MODULE, name, type: 'CONTENT', content: 'What this lesson is about.' })
