import { isDeepStrictEqual } from 'node:util'
import { type TestAPI, test } from 'vitest'
import { type Emulator, type StartOptions, startEmulator } from './index.js'

/** What `emulatorTest` gives to a test. */
export interface EmulatorFixtures {
  /**
   * How the emulator is started; with the default world and in memory when left out. Set them for a file or a `describe`:
   * `emulatorTest.override({ emulatorOptions: { … } })`, or `scoped` before Vitest 4.1.
   */
  emulatorOptions: StartOptions
  /** An emulator of this test alone, as it was loaded at start: one for each worker and options, reset before each test. */
  emulator: Emulator
}

interface OwnFixtures extends EmulatorFixtures {
  emulatorPool: Pool
}

/** The emulators of a worker. */
interface Pool {
  /** One with these options that no other test has now, reset. */
  take(options: StartOptions): Promise<Emulator>
  /** Gives it to whoever comes next. */
  giveBack(emulator: Emulator): void
  close(): Promise<void>
}

/** A started emulator, and whether a test has it. */
interface Kept {
  options: StartOptions
  emulator: Emulator
  taken: boolean
}

/**
 * Vitest's `test` with an emulator. Options may differ by file and by `describe`, while what belongs to a worker can
 * neither be overridden in a `describe` nor know what a test was given: so the worker keeps emulators by their options,
 * and a test takes one. Tests that run concurrently get one each. control-api: "Typed client"
 */
const withEmulators = test.extend<OwnFixtures>({
  emulatorOptions: {},
  emulatorPool: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter list
    async ({}, use) => {
      const pool = createPool()
      await use(pool)
      await pool.close()
    },
    { scope: 'worker' },
  ],
  emulator: async ({ emulatorOptions, emulatorPool }, use) => {
    const emulator = await emulatorPool.take(emulatorOptions)
    await use(emulator)
    emulatorPool.giveBack(emulator)
  },
})

export const emulatorTest: TestAPI<EmulatorFixtures> = withEmulators

function createPool(): Pool {
  const kept: Kept[] = []
  return {
    async take(options) {
      const free = kept.find((each) => !each.taken && isDeepStrictEqual(each.options, options))
      if (free) {
        free.taken = true
        await free.emulator.admin.reset()
        return free.emulator
      }
      const emulator = await startEmulator(options)
      kept.push({ options, emulator, taken: true })
      return emulator
    },
    giveBack(emulator) {
      for (const each of kept) if (each.emulator === emulator) each.taken = false
    },
    async close() {
      await Promise.all(kept.map(({ emulator }) => emulator.close()))
    },
  }
}
