import fc from 'fast-check'
import { startEmulator } from 'mockademy'
import { expect, test } from 'vitest'
import { send } from '../harness/emulator-test.js'
import { propertyRuns } from '../harness/property-runs.js'
import { notesManifest } from '../harness/webhook-test.js'
import { acme } from '../harness/worlds/acme.js'

const deeds = ['read', 'fault', 'misuse', 'event', 'advance', 'expire', 'mark'] as const
const command = fc.record({ of: fc.nat(3), does: fc.constantFrom(...deeds), ms: fc.integer({ min: 1, max: 500_000 }) })
const history = fc.array(command, { minLength: 10, maxLength: 30 })

/** All that happened in one sandbox. */
interface Account {
  statuses: number[]
  marks: (string | undefined)[]
  /** Events of its deliveries, that of the installation first. */
  events: string[]
  misuses: number
  faults: number
  offset: number
}

test('no fault, finding, delivery, mark or clock of one sandbox is ever in another', async () => {
  const property = fc.asyncProperty(history, async (commands) => {
    await using emulator = await startEmulator({ fixtures: { ...acme, apps: [], installations: [] }, seed: 's' })
    const { admin } = emulator
    const webhook = { url: `${emulator.url}/_inbox/notes` }
    await admin.createApp({ manifest: { ...notesManifest({ url: '' }), webhook } })
    const made = await Promise.all(Array.from({ length: 4 }, () => admin.sandbox()))
    const members = made.map((sandbox) => {
      const account: Account = { statuses: [], marks: [], events: [], misuses: 0, faults: 0, offset: 0 }
      account.events.push('app.installed')
      return { sandbox, account, step: undefined as string | undefined, isExpired: false }
    })

    for (const [index, { of, does, ms }] of commands.entries()) {
      const member = members[of] as (typeof members)[number]
      const { sandbox, account } = member
      const { slug } = sandbox.organization
      const request = async (as: string | undefined) => {
        account.statuses.push((await send(`${emulator.url}/v0/elements`, { as: as ?? '', injected: true })).status)
        account.marks.push(member.step)
      }
      if (does === 'read') {
        await request(sandbox.credentials?.access_token)
        if (account.faults > 0) expect(account.statuses.at(-1)).toBe(503)
        else expect(account.statuses.at(-1)).toBe(member.isExpired || account.offset >= 3_600_000 ? 401 : 200)
        if (account.faults > 0) account.faults--
      } else if (does === 'fault') {
        await sandbox.fault({ match: { surface: 'api' }, effect: 'unavailable', times: 1 })
        account.faults++
      } else if (does === 'misuse' && account.faults === 0) {
        await request(sandbox.credentials?.refresh_token)
        account.misuses++
      } else if (does === 'event') {
        const type = `event.${index}`
        await admin.sendEvent({ type, installation: sandbox.installation?.id ?? '', data: {} })
        account.events.push(type)
      } else if (does === 'advance') {
        await sandbox.clock.advance(ms)
        account.offset += ms
      } else if (does === 'expire') {
        await sandbox.expireTokens()
        member.isExpired = true
      } else if (does === 'mark') {
        member.step = `step ${index}`
        await admin.mark(member.step, { organization: slug })
      }
    }

    const faults = await admin.listFaults()
    const clocks = (await admin.clock()).organizations
    for (const { sandbox, account } of members) {
      const { slug } = sandbox.organization
      const requests = await sandbox.requests({ surface: 'api' })
      const [finding] = await sandbox.findings({ rule: 'wrong_kind_of_token' })
      expect({
        statuses: requests.map(({ status }) => status),
        marks: requests.map(({ mark }) => mark),
        events: (await sandbox.deliveries()).map(({ event }) => event.type),
        misuses: finding?.count ?? 0,
        faults: faults.filter(({ match, left }) => match.organization === slug && left !== 0).length,
        offset: clocks.find(({ organization }) => organization === slug)?.offset ?? 0,
      }).toEqual(account)
      await sandbox.end()
    }
    expect([await admin.listFaults(), (await admin.clock()).organizations]).toEqual([[], []])
  })
  await fc.assert(property, { ...propertyRuns(10), endOnFailure: true })
})
