import type { Cookie } from 'tough-cookie'
import type { Scene } from '../scene.js'
import { JWT } from '../secrets.js'
import { fail, Inconclusive, pass, skip, type Verdict } from '../verdict.js'
import { answersAs } from './probes.js'
import { callbackFor, isSignIn, landed, type Person, person } from './signing-in.js'

interface Held {
  name: string
  value: string
  cookie: Cookie
}

const heldBy = async ({ browser }: Person, url: string): Promise<Held[]> =>
  (await browser.jar.getCookies(url)).map((cookie) => ({ name: cookie.key, value: cookie.value, cookie }))

export async function cookies(scene: Scene): Promise<Verdict> {
  const who = await person(scene)
  const callback = await callbackFor(who)
  const where = scene.file.whoami?.url ?? callback.href
  const before = await heldBy(who, where)
  const landing = await landed(scene, who, callback)
  if (!isSignIn(landing)) throw new Inconclusive('a normal sign-in does not work', { sent: landing.visit.last })
  const after = await heldBy(who, where)
  const sent = landing.visit.hops[0]
  const holding = after.filter(({ value }) => isToken(scene, value)).map(({ name }) => name)
  if (holding.length > 0) return fail(`The cookie ${holding.join(', ')} holds a token of the platform`, { sent })

  const fresh = after.filter(({ name, value }) => !before.some((old) => old.name === name && old.value === value))
  const sessions = scene.file.whoami ? await necessary(scene, after) : fresh
  if (sessions.length === 0) return fail('The app has no session cookie, or does not change it at sign-in', { sent })
  if (sessions.every(({ name, value }) => before.some((old) => old.name === name && old.value === value))) {
    const names = sessions.map(({ name }) => name).join(', ')
    return fail(`The cookie ${names} has the same value as before the sign-in (session fixation)`, { sent })
  }
  const wrong = sessions.flatMap(({ name, cookie }) => faultsOf(cookie).map((fault) => `${name} ${fault}`))
  if (wrong.length === 0) {
    return pass(`${sessions.map(({ name }) => name).join(', ')}: HttpOnly, SameSite, a new value at sign-in, no token`)
  }
  const isCertain = scene.file.whoami !== undefined || sessions.every(({ cookie }) => faultsOf(cookie).length > 0)
  if (!isCertain) return skip('Declare "whoami", so that the audit can tell which cookie holds the session')
  return fail(`The session cookie ${wrong.join('; ')}`, { sent })
}

/** The cookies without which nobody is signed in: each is left out in turn. */
async function necessary(scene: Scene, held: Held[]): Promise<Held[]> {
  const { url = '', signed_in } = scene.file.whoami ?? {}
  const without = await Promise.all(
    held.map(async ({ name }) => {
      const header = held.filter((other) => other.name !== name).map((other) => `${other.name}=${other.value}`)
      const sent = await scene.attacker.send({
        method: 'GET',
        url,
        headers: header.length > 0 ? { cookie: header.join('; ') } : {},
      })
      return signed_in === undefined || !answersAs(sent, signed_in)
    }),
  )
  return held.filter((_, index) => without[index])
}

function faultsOf(cookie: Cookie): string[] {
  const sameSite = cookie.sameSite?.toLowerCase()
  return [
    ...(cookie.httpOnly ? [] : ['is not HttpOnly']),
    ...(sameSite === 'lax' || sameSite === 'strict'
      ? []
      : [`has ${sameSite ? `SameSite=${sameSite}` : 'no SameSite'}`]),
  ]
}

/** Whether a cookie's value holds a token, also when it was only encoded. */
function isToken(scene: Scene, value: string): boolean {
  const decoded = [value, safely(() => decodeURIComponent(value)), Buffer.from(value, 'base64url').toString()]
  return decoded.some((text) => scene.secrets.foundIn(text).length > 0 || tokensIn(text).length > 0)
}

/** JWTs with an issuer that is a platform: a session that the app signed itself has none. */
const tokensIn = (text: string) =>
  [...text.matchAll(JWT)].filter(([token]) => {
    const claims = safely(() => Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return claims.includes('"iss"') && claims.includes('"aud"')
  })

function safely(decode: () => string): string {
  try {
    return decode()
  } catch {
    return ''
  }
}
