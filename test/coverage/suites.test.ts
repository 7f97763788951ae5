import { expect } from 'vitest'
import { idTokenEffects } from '../../src/emulator/faults/effect-names.js'
import { libertyKinds } from '../../src/emulator/world/liberty-names.js'
import { test } from '../harness/notes-app.js'

// The app is a process of its own.

const shapes = Object.values(libertyKinds).filter((kind) => kind === 'shape').length
/** The cells that can happen to the example app, counted by hand: of its scopes, manifest and events. */
const countable: Record<string, number> = {
  // Four lists without an id have 8 cells, two operations with an id have 8.
  api: 4 * 8 + 2 * 8,
  tokens: 7,
  webhooks: 2 * 7 + 1,
  // Install and reinstall have a redirect.
  life: 3 + 2 + 2 + 3,
  'sign-in': 6 + (1 + 6) + Object.keys(idTokenEffects).length,
  shapes,
}

/**
 * Expects that these cells were met and no others, and the figures that follow.
 * @param notAllowed cells among them of operations that the app's scopes do not allow.
 */
async function expectMet(
  admin: (path: string) => Promise<{ body: unknown }>,
  met: string[],
  notAllowed = 0,
): Promise<void> {
  const { groups, figure } = (await admin('coverage?app=notes')).body as {
    figure: number
    groups: {
      group: string
      figure: number
      countable: number
      rows: { row: string; cells: { column: string; met: boolean }[] }[]
    }[]
  }
  const found = groups.flatMap(({ group, rows }) =>
    rows.flatMap(({ row, cells }) =>
      cells.filter((cell) => cell.met).map(({ column }) => `${group} | ${row} | ${column}`),
    ),
  )
  expect(found.sort()).toEqual(met.toSorted())
  for (const { group, countable: cells, figure } of groups) {
    const all = (countable[group] as number) + (group === 'api' ? notAllowed : 0)
    const own = met.filter((cell) => cell.startsWith(`${group} |`)).length
    expect([group, cells, figure]).toEqual([group, all, own / all])
  }
  expect(figure).toBe(met.length / Object.values(countable).reduce((sum, each) => sum + each, notAllowed))
}

test('a suite that installs the app and reads', async ({ admin, install, probe, app }) => {
  await install()
  expect(await probe()).toBe(200)
  await app.get('/organizations/acme/elements/none')
  await app.get('/organizations/acme/members')
  await expectMet(
    admin,
    [
      'webhooks | app.installed | acknowledged',
      'life | install | done',
      'api | GET /v0/courses | ok',
      'api | GET /v0/elements/{id} | not-found',
      // Its scopes do not allow it, so only what it met counts.
      'api | GET /v0/members | forbidden',
    ],
    1,
  )
})

test('a suite of tokens', async ({ admin, install, fault, probe }) => {
  const { installation } = await install()
  await admin('tokens/expire', { app: 'notes', organization: 'acme' })
  expect(await probe()).toBe(200)
  await fault({ surface: 'api' }, 'unavailable', { times: 1 })
  expect(await probe()).toBe(200)
  await admin(`installations/${installation.id}`, undefined, 'DELETE')
  await install()
  await admin('tokens/revoke', { app: 'notes', organization: 'acme' })
  expect(await probe()).toBe(409)
  await expectMet(admin, [
    'webhooks | app.installed | acknowledged',
    'webhooks | app.uninstalled | acknowledged',
    'life | install | done',
    'life | uninstall | done',
    'life | reinstall | done',
    'api | GET /v0/courses | expired',
    'api | GET /v0/courses | ok',
    'api | GET /v0/courses | server-error',
    'api | GET /v0/courses | revoked',
    'tokens | refresh | done',
    'tokens | refresh | refused',
  ])
})

test('a suite of sign-ins', async ({ admin, app, install, fault, browser, signedIn, signIn }) => {
  await install()
  await browser.open(`${app.url}/setup?organization=acme`)
  await signedIn('ada')
  await signIn()
  await fault({ surface: 'id_token' }, 'wrong_iss', { times: 1 })
  await signIn()
  await admin('keys/rotate', {})
  await signIn()
  await expectMet(admin, [
    'webhooks | app.installed | acknowledged',
    'life | install | done',
    'life | install | redirected',
    'sign-in | silent | login-required',
    'sign-in | sign-in | done',
    'sign-in | id_token | wrong-iss',
    'sign-in | sign-in | keys-rotated',
  ])
})
