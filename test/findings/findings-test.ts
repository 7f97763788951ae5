import type { TestAPI } from 'vitest'
import { expect, vi } from 'vitest'
import type { Answer, Call } from '../harness/emulator-test.js'

type CallFixture = (path: string, call?: Call) => Promise<Answer>

export interface Shown {
  rule: string
  level: string
  section: string
  docs: string
  app: string | null
  organization: string | null
  count: number
  first_at: string
  last_at: string
  message: string
  entries: number[]
}

interface Findings {
  /** Findings, of one rule or of all. */
  found: (rule?: string) => Promise<Shown[]>
  /** The id of the newest journal entry. */
  newest: () => Promise<number>
  /** `POST /oauth/token` with the credentials of `notes`. */
  refresh: (refresh_token: string, call?: Call) => Promise<Answer>
  inject: (match: object, effect: unknown, more?: object) => Promise<Answer>
  /** Moves the emulator's clock. */
  later: (by: string) => Promise<Answer>
  /** Moves the real clock that durations are measured with, of the emulator in this process, without waiting. */
  pass: (milliseconds: number) => void
}

/** Adds to a test what tests of findings need. */
export const withFindings = <T extends { call: CallFixture }>(base: TestAPI<T>) =>
  (base as unknown as TestAPI<{ call: CallFixture }>).extend<Findings>({
    found: async ({ call }, use) => {
      await use(async (rule) => (await call(`/_admin/findings${rule ? `?rule=${rule}` : ''}`)).body.data)
    },
    newest: async ({ call }, use) => {
      await use(async () => (await call('/_admin/requests')).body.data.at(-1).id)
    },
    refresh: async ({ call }, use) => {
      await use((refresh_token, more) => {
        const credentials = { client_id: 'app_notes', client_secret: 'notes_secret' }
        return call('/oauth/token', { form: { grant_type: 'refresh_token', refresh_token, ...credentials }, ...more })
      })
    },
    inject: async ({ call }, use) => {
      await use((match, effect, more) => call('/_admin/faults', { body: { match, effect, times: 1, ...more } }))
    },
    later: async ({ call }, use) => {
      await use((by) => call('/_admin/clock/advance', { body: { by } }))
    },
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its first parameter
    pass: async ({}, use) => {
      let passed = 0
      const start = performance.now()
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => start + passed)
      await use((milliseconds) => {
        passed += milliseconds
      })
      clock.mockRestore()
    },
  }) as unknown as TestAPI<T & Findings>

export function expectOne(
  found: Shown[],
  { says, ...fields }: Partial<Omit<Shown, 'message'>> & { says: RegExp },
): void {
  expect(found).toMatchObject([fields])
  expect(found[0]?.message).toMatch(says)
}
