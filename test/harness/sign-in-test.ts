import type { FixtureDocument } from 'mockademy'
import { type Answer, test as base, type Call } from './emulator-test.js'
import { signInWorld } from './worlds/sign-in.js'

export type CallFixture = (path: string, call?: Call) => Promise<Answer>

export const callback = 'http://localhost:3000/callback'

/** A sound request to authorize, for the app `notes`. */
export const sound = {
  client_id: 'app_notes',
  response_type: 'code',
  scope: 'openid profile email',
  redirect_uri: callback,
  state: 'xyz',
}

/** The address of a request to authorize: the sound one with changes. Undefined leaves a parameter out. */
export function authorizePath(changes: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...sound, ...changes })) if (value !== undefined) query.set(name, value)
  return `/oauth/authorize?${query}`
}

export const silent = (changes: Record<string, string | undefined> = {}) =>
  authorizePath({ prompt: 'none', ...changes })

/** Target and query of a redirect. */
export function landing(answer: Answer) {
  const location = answer.headers.get('location') ?? ''
  const question = location.indexOf('?')
  return {
    location,
    target: question < 0 ? location : location.slice(0, question),
    query: Object.fromEntries(new URLSearchParams(question < 0 ? '' : location.slice(question + 1))),
  }
}

/** The fields of the page's form that posts, as a browser would send them without anything filled in. */
export function formOf(html: string): { action: string; fields: Record<string, string> } {
  const form = /<form method="post" action="([^"]*)">([\s\S]*?)<\/form>/.exec(html)
  if (!form) throw new Error(`There is no form in ${html}`)
  const inputs = [...(form[2] as string).matchAll(/<input type="(\w+)" name="(\w+)" value="([^"]*)"( checked)?/g)]
  const sent = inputs.filter(([, type, , , checked]) => type === 'hidden' || checked)
  return {
    action: plainText(form[1] as string),
    fields: Object.fromEntries(sent.map(([, , name, value]) => [name, plainText(value as string)])),
  }
}

const plainText = (text: string) =>
  text.replace(
    /&(quot|lt|gt|#39|amp);/g,
    (_, name) => ({ quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' })[name as string] ?? '',
  )

interface Fixtures {
  world: FixtureDocument
  /** The Cookie header of a browser that is signed in as a user. */
  cookie: (user: string) => Promise<string>
  /** A code for a user, through silent sign-in. */
  codeFor: (user: string, changes?: Record<string, string | undefined>) => Promise<string>
  /** A request to the token endpoint; client credentials of `notes` unless given. */
  token: (form: Record<string, string>, headers?: Record<string, string>) => Promise<Answer>
  /** The newest entry of the journal: why a request was refused. */
  reason: () => Promise<string>
}

export const test = base.extend<Fixtures>({
  world: signInWorld,
  cookie: async ({ call }, use) => {
    await use(async (user) => {
      const { body } = await call('/_admin/sessions', { body: { user } })
      return `${body.cookie.name}=${body.cookie.value}`
    })
  },
  codeFor: async ({ call, cookie }, use) => {
    await use(async (user, changes) => {
      const answer = await call(silent(changes), { headers: { cookie: await cookie(user) } })
      const { code } = landing(answer).query
      if (!code) throw new Error(`No code: ${answer.status} ${landing(answer).location}`)
      return code
    })
  },
  token: async ({ call }, use) => {
    await use((form, headers = {}) => {
      const credentials = { client_id: 'app_notes', client_secret: 'notes_secret' }
      const defaults = 'authorization' in headers ? {} : credentials
      return call('/oauth/token', { form: { ...defaults, ...form }, headers })
    })
  },
  reason: async ({ call }, use) => {
    await use(async () => (await call('/_admin/requests')).body.data.at(-1).reason)
  },
})
