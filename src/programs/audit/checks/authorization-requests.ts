import { randomnessOf } from '../randomness.js'
import type { Scene } from '../scene.js'
import { counted, fail, pass, type Verdict } from '../verdict.js'
import { begun } from './signing-in.js'

export async function request(scene: Scene): Promise<Verdict> {
  const { stopped, last } = await scene.browser().begin()
  if (stopped === undefined) {
    return fail("start does not lead to the platform's /oauth/authorize", { sent: last })
  }
  const { searchParams: query } = new URL(stopped)
  const rules: [boolean, string][] = [
    [
      query.get('client_id') === scene.app.clientId,
      `client_id is ${query.get('client_id')}, not ${scene.app.clientId}`,
    ],
    [query.get('response_type') === 'code', `response_type is ${query.get('response_type')}, not code`],
    [
      scene.app.callbacks.includes(query.get('redirect_uri') ?? ''),
      `redirect_uri ${query.get('redirect_uri')} is not registered (registered: ${scene.app.callbacks.join(', ')})`,
    ],
    [
      (query.get('scope') ?? '').split(' ').includes('openid'),
      `scope "${query.get('scope') ?? ''}" does not include openid`,
    ],
    [Boolean(query.get('state')), 'there is no state'],
  ]
  const wrong = rules.filter(([holds]) => !holds).map(([, message]) => message)
  if (wrong.length === 0) return pass('The authorization request is complete')
  return fail(`The authorization request is wrong: ${wrong.join('; ')}`, { sent: last, seen: stopped })
}

const SAMPLES = 20
const ENOUGH_BITS = 128

export async function stateFresh(scene: Scene): Promise<Verdict> {
  const requests = await Promise.all(Array.from({ length: SAMPLES }, () => begun(scene.browser())))
  const states = requests.map(({ searchParams }) => searchParams.get('state') ?? '')
  const distinct = new Set(states).size
  if (distinct < SAMPLES) {
    return fail(`${SAMPLES} sign-ins used only ${counted(distinct, 'state', 'different states')}`, {
      seen: `for example, ${states[0]}`,
    })
  }
  const bits = Math.floor(randomnessOf(states))
  if (bits >= ENOUGH_BITS) return pass(`${SAMPLES} different states of at least ${ENOUGH_BITS} bits`)
  return fail(`A state has at most ${bits} random bits; it needs ${ENOUGH_BITS}`, {
    seen: `by the length and alphabet of the characters that differ; for example, ${states[0]} and ${states[1]}`,
  })
}

export async function pkce(scene: Scene): Promise<Verdict> {
  const { searchParams: query } = await begun(scene.browser())
  const [method, challenge] = [query.get('code_challenge_method'), query.get('code_challenge') ?? '']
  if (method === 'S256' && challenge.length >= 43) return pass('The authorization request has an S256 code_challenge')
  return fail(
    challenge
      ? `code_challenge_method is ${method ?? 'missing, which means plain'}`
      : 'The authorization request has no code_challenge',
  )
}

export async function nonce(scene: Scene): Promise<Verdict> {
  const { searchParams: query } = await begun(scene.browser())
  return query.get('nonce')
    ? pass('The authorization request has a nonce')
    : fail('The authorization request has no nonce')
}
