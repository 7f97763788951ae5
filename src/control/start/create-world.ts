import { createHolds } from '../../emulator/faults/holds.js'
import { createJournal } from '../../emulator/journal/journal.js'
import { createStream } from '../../emulator/journal/stream.js'
import { createLiberties } from '../../emulator/liberties/liberties.js'
import { createClock } from '../../emulator/world/clock.js'
import { plainForms } from '../../emulator/world/forms.js'
import type { GivenSettings, Settings } from '../../emulator/world/setting-table.js'
import { resolveSettings } from '../../emulator/world/settings.js'
import type { World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { performance } from '../../foundation/time/real-timers.js'
import { createInstallationListener } from '../../platform/apps/installations.js'
import { createKeyRing } from '../../platform/oauth/keys.js'
import { createFormKey } from '../../platform/web-app/forms.js'
import { createInboxes } from '../../platform/webhooks/inbox.js'
import { createOutbox } from '../../platform/webhooks/outbox.js'
import { createPost } from '../../platform/webhooks/post.js'
import { createCoverage } from '../coverage/coverage.js'
import { createFindings } from '../findings/findings.js'
import { createScenarios } from '../scenarios/scenarios.js'

interface WorldParts extends Pick<World, 'store' | 'random' | 'origin' | 'closing' | 'spans'> {
  /** Settings that are weaker than those of fixtures. */
  defaults: GivenSettings
  seed: string | undefined
  /** Address of the emulator, once it listens. */
  address: { listening: string }
}

/** A world whose liberties can respond to requests, and whose coverage can be begun. */
export type ServedWorld = World & {
  liberties: ReturnType<typeof createLiberties>
  coverage: ReturnType<typeof createCoverage>
}

/** Assembles a world around its store, which is still empty. */
export function createWorld({ defaults, seed, address, ...parts }: WorldParts): ServedWorld {
  const { store, origin } = parts
  let resolved: { fixture: RecordOf<'fixture_settings'> | undefined; settings: Settings } | undefined
  const clock = createClock(store)
  const getWorld = () => world
  const world: ServedWorld = {
    ...parts,
    clock,
    journal: createJournal(store, getWorld),
    stream: createStream(),
    post: createPost(getWorld),
    outbox: createOutbox(getWorld, createInstallationListener(getWorld)),
    inboxes: createInboxes(),
    keys: createKeyRing(getWorld),
    rateLimiter: { windows: new Map() },
    holds: createHolds(store, clock),
    liberties: createLiberties(getWorld),
    forms: plainForms,
    findings: createFindings(getWorld, () => performance.now()),
    coverage: createCoverage(getWorld),
    reports: new Map(),
    scenarios: createScenarios(getWorld),
    runs: new Set(),
    formKey: createFormKey(seed),
    get settings() {
      const fixture = store.fixture_settings.get('settings')
      if (!resolved || resolved.fixture !== fixture) {
        const settings = resolveSettings(origin.explicitSettings, fixture?.values ?? {}, defaults)
        resolved = { fixture, settings }
      }
      return resolved.settings
    },
    get addresses() {
      const { listening } = address
      const { settings } = world
      const app_url = settings.app_url ?? listening
      return { base_url: listening, app_url, browser_url: settings.browser_url ?? app_url }
    },
  }
  world.journal.onEntry((entry) => world.findings.judge(entry))
  return world
}
