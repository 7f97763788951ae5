import * as z from 'zod'
import { app, composedTool, organization, strict } from './composed-tool.js'
import { isFailure, presentDelivery, summaryOfEntry } from './exchanges.js'
import { explain, presentExchange } from './explain.js'

/** Characters; longer than any id, rule or error code. */
const MAX_TERM = 200
const SHOWN = 5

export const failureTools = {
  status: composedTool({
    description:
      'Shows the state of the emulator: address, clock, counts, faults that are set, findings, open deliveries and the newest failures. Start here.',
    effect: 'reads',
    input: strict({}),
    async run(_, { call }) {
      const [{ base_url, counts }, clock, faults, findings, deliveries, entries] = await Promise.all([
        call('world'),
        call('clock'),
        call('listFaults'),
        call('listFindings'),
        call('listDeliveries'),
        call('listRequests'),
      ])
      const failures = entries.filter(isFailure)
      return {
        base_url,
        clock: { now: clock.now, frozen: clock.frozen },
        counts,
        faults: faults
          .filter(({ left }) => left !== 0)
          .map(({ id, match, effect, times, hits, left }) => ({ id, match, effect, times, hits, left })),
        findings: findings.map(({ rule, level, count }) => `${level} ${rule}, ${count} times`),
        open_deliveries: deliveries.filter(({ state }) => state !== 'acknowledged').map(presentDelivery),
        failures: failures.slice(-SHOWN).map(summaryOfEntry),
        earlier_failures: Math.max(0, failures.length - SHOWN),
        next: 'last_failure explains the newest failure; audit finds mistakes that no request has shown yet',
      }
    },
  }),

  last_failure: composedTool({
    description:
      "Explains the newest failed exchange of the app in one call: reason, injected fault, findings, delivery, the response, the documentation's section and what a sound app does.",
    effect: 'reads',
    input: strict({
      app,
      organization,
      surface: z.enum(['api', 'oauth', 'web', 'webhook']).optional(),
      back: z.int().min(0).default(0).describe('Failures to skip, from the newest'),
    }),
    async run({ back, ...query }, { call }) {
      const failures = (await call('listRequests', { query })).filter(isFailure)
      const entry = failures.at(-1 - back)
      if (!entry) {
        return {
          failure: null,
          note: `The journal has ${failures.length === 0 ? 'no failure' : `only ${failures.length} failures`} here. Mistakes that nothing has shown yet are found by the tool audit; try provokes one.`,
        }
      }
      const earlier = failures.slice(0, failures.length - 1 - back)
      return { ...(await presentExchange(call, entry)), earlier_failures: earlier.slice(-SHOWN).map(summaryOfEntry) }
    },
  }),

  explain: composedTool({
    description:
      'Explains a journal entry (its number), a delivery (its id), a finding (its rule), a check of the audit (its id) or an error code: what is wrong, why it matters, a wrong and a right example, how to prove the fix.',
    effect: 'reads',
    input: strict({
      what: z
        .union([z.string().min(1).max(MAX_TERM, `must be at most ${MAX_TERM} characters long`), z.int()])
        .describe('12, "webhook.raw-body", "early_refresh", "invalid_grant"'),
    }),
    run: ({ what }, { call }) => explain(String(what).trim(), call),
  }),
}
