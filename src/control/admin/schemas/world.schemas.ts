import * as z from 'zod'
import { fixtureDocument } from '../../fixtures/document.js'
import type { CallSchemas } from '../call.js'
import { strict } from '../schema-parts.js'

const world = z
  .object({
    name: z.string(),
    version: z.string(),
    base_url: z.string(),
    app_url: z.string(),
    browser_url: z.string(),
    console_url: z.string().describe('The page in the browser'),
    world: z.enum(['seeded', 'resumed']),
    store: z.string().describe('The file, or `memory`'),
    settings: z.record(z.string(), z.unknown()),
    setting_sources: z
      .record(z.string(), z.enum(['given', 'fixture', 'default']))
      .describe('Where each setting comes from: a flag, option or variable; a fixture; or what holds when nobody says'),
    counts: z.record(z.string(), z.int()),
    worlds: z.array(z.object({ index: z.int(), url: z.string() })),
  })
  .meta({ id: 'World' })

const snapshot = z
  .object({
    name: z.string(),
    created_at: z.string(),
    changes: z.int().describe('Records that differ from the present'),
  })
  .meta({ id: 'Snapshot' })
const body = fixtureDocument.meta({ id: 'FixtureDocument' })

/** control-api: "World" */
export const worldSchemas = {
  health: { answer: z.object({ status: z.literal('ok') }) },
  world: { answer: world },
  getState: { answer: fixtureDocument.meta({ id: 'State' }) },
  putState: { body, checksBody: 'a fixture document', answer: world },
  addFixtures: {
    body,
    checksBody: 'a fixture document',
    answer: z.object({ created: z.record(z.string(), z.array(z.string())).describe('Names and ids, by kind') }),
  },
  reset: { answer: world },
  listSnapshots: { answer: snapshot },
  snapshot: { body: strict({ name: z.string().min(1).max(200) }), answer: snapshot },
  restoreSnapshot: { answer: snapshot },
  deleteSnapshot: { answer: snapshot },
  adminDocument: { answer: z.looseObject({}) },
} as const satisfies Record<string, CallSchemas>
