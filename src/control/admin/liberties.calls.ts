import * as z from 'zod'
import { LIBERTIES } from '../../emulator/liberties/liberties.js'
import { libertyWordList } from '../../emulator/world/setting-table.js'
import type { World } from '../../emulator/world/world.js'
import * as words from '../../foundation/schema/schema-words.js'
import { chapter, shape } from './call.js'

const call = chapter('Liberties')

const liberties = shape('Liberties', 'The liberties that the emulator takes, and how often it has taken them', {
  seed: z.string().nullable().describe('Null when none are taken'),
  kinds: z.array(z.string()).describe('Kinds and ids; a leading `-` excludes one'),
  taken: z.record(z.string(), z.int()).describe('Exchanges and events that met each, since the last reset'),
})

/** Overrides the settings, also after a reset, and restarts the seed. @param seed null: no liberties. */
function choose(world: World, seed: string | null, kinds: string[] = world.settings.liberty_kinds) {
  const { store, clock, liberties } = world
  const created_at = clock.timestamp(null)
  store.change((tx) => tx.put('liberties', { id: LIBERTIES, sequence: tx.next(), created_at, seed, kinds }))
  liberties.rewind()
  return liberties.state()
}

export const libertyCalls = {
  getLiberties: call('GET', '/_admin/liberties', {
    summary: 'Show the liberties that are taken, and how often',
    command: { line: 'liberties show' },
    response: liberties,
    handler: (world) => world.liberties.state(),
  }),
  setLiberties: call('PUT', '/_admin/liberties', {
    summary: 'Take liberties by seed, from its beginning',
    note: 'Entries of the journal name those that they met. They stay in force after a reset, which begins the seed again.',
    body: z.strictObject({
      seed: z.string().nullable().describe('Any text; empty or null: none'),
      kinds: libertyWordList(words)
        .optional()
        .describe('`shape`, `weather`, `future` or ids; by default those of the setting'),
    }),
    response: liberties,
    handler: (world, { body: { seed, kinds } }) => choose(world, seed, kinds),
  }),
  clearLiberties: call('DELETE', '/_admin/liberties', {
    summary: 'Take no liberties',
    command: { line: 'liberties clear' },
    response: liberties,
    handler: (world) => choose(world, null),
  }),
}
