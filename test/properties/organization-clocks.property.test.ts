import fc from 'fast-check'
import { type Emulator, startEmulator } from 'mockademy'
import { expect, test } from 'vitest'
import { type Answer, type Call, send } from '../harness/emulator-test.js'
import { propertyRuns } from '../harness/property-runs.js'
import { callback, landing, silent } from '../harness/sign-in-test.js'
import { notesManifest } from '../harness/webhook-test.js'
import { acme } from '../harness/worlds/acme.js'

/** Actions of an organization, its app and its users; none moves a clock. */
const deeds = ['read', 'create', 'refresh', 'fail', 'fault', 'event', 'code', 'redeem', 'again', 'observe'] as const
type Deed = (typeof deeds)[number]
type Move = { advance: number } | { freeze: string } | { resume: true }

type Command = { in: 'zenith'; does: Deed } | { in: 'acme'; does: Deed | Move } | { in: null; does: Move }

const deed = fc.constantFrom(...deeds)
const advance = fc.constantFrom(1, 10_000, 100_000, 3_600_000, 31 * 86_400_000).map((by) => ({ advance: by }))
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: advance },
  {
    weight: 1,
    arbitrary: fc.constantFrom('2020-01-01T00:00:00Z', '2040-01-01T00:00:00Z').map((at) => ({ freeze: at })),
  },
  { weight: 1, arbitrary: fc.constant({ resume: true as const }) },
)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ in: fc.constant('zenith' as const), does: deed }) },
  { weight: 3, arbitrary: fc.record({ in: fc.constant('acme' as const), does: deed }) },
  { weight: 3, arbitrary: fc.record({ in: fc.constant('acme' as const), does: move }) },
  { weight: 1, arbitrary: fc.record({ in: fc.constant(null), does: advance }) },
)

const places = {
  acme: { key: 'key_acme', module: 'module1', user: 'ada' },
  zenith: { key: 'key_zenith', module: 'zmodule', user: 'zoe' },
}

/** An organization with its app, whose answers are kept. */
async function settle(emulator: Emulator, organization: keyof typeof places) {
  const { key, module, user } = places[organization]
  const answers: string[] = []
  const call = async (path: string, given?: Call): Promise<Answer> => {
    const answer = await send(emulator.url + path, { injected: true, ...given })
    const kept = ['date', 'retry-after', 'x-ratelimit-remaining', 'www-authenticate', 'location']
    const headers = kept.map((name) => `${name}: ${answer.headers.get(name)}`)
    answers.push([path, answer.status, ...headers, answer.text].join('\n'))
    return answer
  }
  const app = { client_id: 'app_notes', client_secret: 'notes_secret' }
  const { body } = await call('/_admin/installations', { body: { app: 'notes', organization } })
  let { access_token, refresh_token } = body.credentials
  const { cookie } = (await call('/_admin/sessions', { body: { user } })).body
  let code = 'none'
  const matching = { surface: 'webhook', organization }
  const does: Record<Deed, () => Promise<unknown>> = {
    read: () => call('/v0/elements', { as: access_token }),
    create: () => call('/v0/elements', { as: key, body: { module, type: 'CONTENT', name: 'One' } }),
    async refresh() {
      const form = { ...app, grant_type: 'refresh_token', refresh_token }
      const answer = await call('/oauth/token', { form })
      if (answer.status === 200) ({ access_token, refresh_token } = answer.body)
    },
    fail: () => call('/_admin/faults', { body: { match: matching, effect: 'lose_ack', times: 2 } }),
    fault: () =>
      call('/_admin/faults', { body: { match: { organization }, effect: 'unavailable', expires_in: '20s' } }),
    event: () => call('/_admin/events', { body: { type: 'x', installation: body.installation.id, data: {} } }),
    async code() {
      const answer = await call(silent({ scope: 'openid email' }), {
        headers: { cookie: `${cookie.name}=${cookie.value}` },
      })
      code = landing(answer).query.code ?? code
    },
    redeem: () =>
      call('/oauth/token', { form: { ...app, grant_type: 'authorization_code', code, redirect_uri: callback } }),
    again: () => call('/v0/elements?page=none', { as: access_token }),
    async observe() {
      for (const list of ['tokens', 'deliveries', 'requests', 'installations']) {
        await call(`/_admin/${list}?organization=${organization}`)
      }
    },
  }
  return { answers, does }
}

async function live(history: Command[]): Promise<string> {
  const manifest = { ...notesManifest({ url: '' }), webhook: { url: '' } }
  const emulator = await startEmulator({
    fixtures: { ...acme, apps: [], installations: [] },
    seed: 's',
    now: '2026-01-01T00:00:00Z',
    rateLimit: 6,
  })
  manifest.webhook.url = `${emulator.url}/_inbox/notes`
  const { admin } = emulator
  await admin.createApp({ client_id: 'app_notes', client_secret: 'notes_secret', manifest })
  // Responses for zenith must not depend on acme.
  const zenith = await settle(emulator, 'zenith')
  const other = history.some((each) => each.in === 'acme') ? await settle(emulator, 'acme') : undefined
  for (const { in: organization, does } of history) {
    if (typeof does === 'string') await (organization === 'zenith' ? zenith : other)?.does[does]()
    else {
      const where = organization === null ? {} : { organization }
      if ('advance' in does) await admin.advanceClock(does.advance, where)
      else if ('freeze' in does) await admin.freezeClock(does.freeze, where)
      else await admin.resumeClock(where)
    }
  }
  await zenith.does.observe()
  await emulator.close()
  return named(zenith.answers.join('\n\n').replaceAll(new URL(emulator.url).port, 'PORT'))
}

/** Ids and secrets are drawn from one sequence by all: each is named by its first appearance. */
function named(text: string): string {
  const names = new Map<string, string>()
  const random = /eyJ[\w.-]+|\b(?:(?:at|rt|ac|ses|evt)_[\w-]{20,}|(?=\w*\d)(?=\w*[A-Za-z])\w{16})\b/g
  return text
    .replace(random, (secret) => {
      const name = names.get(secret) ?? `#${names.size}`
      names.set(secret, name)
      return name
    })
    .replace(/"(id|last_four|sequence)":("[\w-]{4}"|\d+)/g, '"$1":0')
}

test('whatever is done in one organization and to its clock, every byte of another is as if it were alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 8, maxLength: 25 }), async (history) => {
      const alone = history.filter((each) => each.in !== 'acme')
      expect(await live(history)).toBe(await live(alone))
    }),
    { ...propertyRuns(8), endOnFailure: true },
  )
})
