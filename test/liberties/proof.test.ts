import { startEmulator } from 'mockademy'
import { describe, expect } from 'vitest'
import { compare } from '../../src/programs/real-platform/compare.js'
import { readReference } from '../../src/programs/real-platform/reference.js'
import { send } from '../harness/emulator-test.js'
import { test } from '../real-platform/platform-test.js'
import { seeds } from './seeds.js'

/** A world with everything that compare looks at, under a seed. */
const startFree = (seed: string) => startEmulator({ seed: 'free', now: '2026-01-01T00:00:00Z', liberties: seed })

describe('an emulator with every shape', () => {
  test.for(seeds)(
    'differs from a plain one in decisions only, by seed %s',
    { timeout: 60_000 },
    async (seed, { watch }) => {
      await using free = await startFree(seed)
      const { access_token } = (
        await send(`${free.url}/_admin/tokens`, {
          body: { app: 'notes', organization: 'globex', scope: 'courses:read' },
        })
      ).body
      const { differences } = await compare({
        base: free.url,
        issuer: free.url,
        apiKey: 'key_acme',
        token: access_token,
        requestsPerSecond: 0,
        watch,
        referenceFor: (names) => readReference(names, startEmulator),
      })
      expect(differences.length).toBeGreaterThan(5)
      expect(differences.filter(({ section }) => !section.startsWith('wire: '))).toEqual([])
    },
  )
})
