import { readFileSync } from 'node:fs'
import { hashOf, secretsOf } from '../../src/control/fixtures/content-of-documents.js'
import { type CompiledWorld, MOMENT, type Records } from '../../src/control/fixtures/default-world.js'
import { compileFixtures } from '../../src/control/fixtures/load-fixtures.js'
import { launch } from '../../src/control/start/launch.js'

// The default world as it is loaded at every start that names no fixtures, for `npm run build`.

const document = JSON.parse(readFileSync('fixtures/default.json', 'utf8'))
if (document.settings ?? document.clock) throw new Error('fixtures/default.json must have neither settings nor a clock')
const sources = [{ document }]
// Only with a seed does the world count what it draws.
const { world, close } = await launch({ explicitSettings: { now: MOMENT, seed: 'none is drawn' }, fixtures: {} })
const { draws } = world.store.counters()
const { drafts, installations } = world.store.change((tx) => compileFixtures(world, tx, sources, { copies: true }))
if (world.store.counters().draws !== draws) {
  throw new Error(
    'fixtures/default.json must give every id and secret: what is generated is to be another one each time',
  )
}
const records: Records = { drafts: drafts.map(({ collection, draft }) => ({ collection, draft })), installations }
const compiled: CompiledWorld = {
  hash: hashOf(sources),
  secrets: secretsOf(sources),
  records: JSON.stringify(records),
}
await close()

export default JSON.stringify(compiled)
