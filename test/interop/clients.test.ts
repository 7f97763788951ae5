import { describe, expect } from 'vitest'
import { pages } from '../docs/pages.js'
import { test } from '../harness/temporary-folder.js'
import { clients } from './clients/clients.js'
import { forgeries } from './clients/forgeries.js'
import { install } from './clients/install.js'
import { readRows } from './clients/table.js'
import { startTrial } from './clients/trial.js'

const rows = readRows()
const tried = ['openid-client', 'oauth4webapi', 'auth-js']

describe('the table of docs/clients.md', () => {
  test('has a row for every client, and a page for every row', () => {
    expect(rows.map(({ client, page }) => [client, page])).toEqual(clients.map(({ name, folder }) => [name, folder]))
    const files = new Set(pages.map(({ file }) => file))
    expect(rows.filter(({ page }) => !files.has(`docs/clients/${page}.md`))).toEqual([])
  })

  test('says of every forgery whether it must be refused', () => {
    const { text = '' } = pages.find(({ file }) => file === 'docs/clients.md') ?? {}
    const rules = [...text.matchAll(/^\| `(\w+)` \| .* \| (MUST|SHOULD|MAY)\b.* \|$/gm)].map(([, ...row]) => row)
    expect(rules).toEqual(Object.entries(forgeries).map(([name, { refusing }]) => [name, refusing]))
  })
})

/** Those that are installed here; `npm run clients` tries them all. */
describe('what is let through is what docs/clients.md says', () => {
  const installed = clients.filter(({ folder }) => tried.includes(folder))

  test.for(installed.map((client) => [client.name, client] as const))('by %s', async ([, client], { folder }) => {
    const trial = await startTrial(await install(client, folder, 'repository'))
    try {
      expect(await trial.signIn()).toMatchObject({ accepted: true })
      expect(await trial.tryForgeries()).toEqual(rows.find((row) => row.client === client.name)?.accepted)
    } finally {
      await trial.stop()
    }
  })
})
