import { audit } from 'mockademy'
import { describe, expect, test } from 'vitest'
import { startExampleApp } from '../audit/example-app.js'
import { createBrowser } from '../harness/cookie-jar.js'
import { formOf } from '../harness/sign-in-test.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { clients } from '../interop/clients/clients.js'
import { install } from '../interop/clients/install.js'
import { startTrial } from '../interop/clients/trial.js'
import { fewSeeds as seeds } from './seeds.js'

/** `LIBERTY_SEEDS` runs the whole audit under each seed, but for what waits half a minute; the suite a part of it. */
const checks = process.env.LIBERTY_SEEDS ? { skip: ['signin.rotation'] } : { only: ['signin.id-token*'] }

describe('the example app', () => {
  test.for(seeds)('signs in, reads and passes the audit under seed %s', { timeout: 600_000 }, async (liberties) => {
    const { emulator, url, file, close } = await startExampleApp()
    const { admin } = emulator
    try {
      await admin.setLiberties({ seed: liberties })
      await admin.install({ app: 'notes', organization: 'acme' })
      await admin.setAmbientUser('ada')
      const browser = createBrowser()
      const consent = await browser.open(`${url}/login`)
      const { action, fields } = formOf(consent.text)
      await browser.submit(new URL(action, consent.url), { ...fields, decision: 'allow' })
      expect(JSON.parse((await browser.open(`${url}/me`)).text)).toMatchObject({ sub: 'ada' })
      const elements = await (await fetch(`${url}/organizations/acme/elements`)).json()
      await admin.clearLiberties()
      const plain = await (await fetch(`${url}/organizations/acme/elements`)).json()
      const idsOf = (all: { id: string }[]) => all.map(({ id }) => id).sort()
      expect(plain.length).toBeGreaterThan(20)
      expect(idsOf(elements)).toEqual(idsOf(plain))

      const report = await audit({ url: emulator.url, file, liberties, ...checks })
      const others = report.checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skip')
      expect(others.map(({ id, outcome, message }) => [id, outcome, message])).toEqual([])
      expect(await admin.getLiberties()).toMatchObject({ seed: null })
    } finally {
      await close()
    }
  })
})

/** The clients of docs/clients.md that are installed here. */
const installed = clients.filter(({ folder }) => ['openid-client', 'oauth4webapi', 'auth-js'].includes(folder))

describe.each(installed)('$name', (client) => {
  test.for(seeds)('signs in under seed %s', async (liberties) => {
    const trial = await startTrial(await install(client, temporaryFolder(), 'repository'), { liberties })
    try {
      expect(await trial.signIn()).toMatchObject({ accepted: true })
    } finally {
      await trial.stop()
    }
  })
})
