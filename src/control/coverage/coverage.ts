import type { Exchange, JournalEntry } from '../../emulator/world/exchange.js'
import { type LibertyName, libertyKinds } from '../../emulator/world/liberty-names.js'
import type { Coverage } from '../../emulator/world/parts.js'
import { runOf } from '../../emulator/world/run.js'
import { newestManifest } from '../../platform/apps/manifest.js'
import { createCells, type Occasion } from './cells.js'
import { meetOperations } from './meet-operations.js'
import { meetRefreshes } from './meet-refreshes.js'
import { meetSignIn } from './meet-sign-in.js'
import { type LifeEvent, lifeEventsIn, meetLife, meetWebhooks } from './meet-webhooks.js'
import type { Meet, MeteredWorld } from './meter.js'

/** Creates the coverage of an emulator. It counts each exchange when it is over. coverage: "Coverage" */
export function createCoverage(getWorld: () => MeteredWorld): Coverage & {
  /** Begins to count what happens in the world, which has its first content now. */
  watch(): void
} {
  const cells = createCells()
  let counter: ReturnType<typeof createCounter> | undefined
  const currentCounter = () => {
    counter ??= createCounter(getWorld(), cells.add)
    return counter
  }

  return {
    met: (app, filter) => byParts(cells.read(app, filter)),
    clear: cells.clear,
    renew() {
      counter = undefined
    },
    watch() {
      const world = getWorld()
      world.journal.onEntry((entry) => {
        cells.follow(entry.id)
        currentCounter().entry(entry)
      })
      world.journal.onExchange((exchange) => currentCounter().exchange(exchange))
      world.store.onChange((changes) => {
        if (world.stream.isRenewing) return
        for (const { collection, before, after } of changes) {
          if (collection === 'sessions' && before && !after) currentCounter().sessionEnded()
        }
        currentCounter().lifeEvents(lifeEventsIn(world, changes))
      })
    },
  }
}

/** No closure of the coverage, so that the counts of a run that has ended do not keep its world in memory. */
const byParts =
  <T>(read: (cell: string) => T) =>
  (group: string, row: string, column: string) =>
    read(cellOf(group, row, column))

const cellOf = (group: string, row: string, column: string) => `${group} ${row} ${column}`

function createCounter(world: MeteredWorld, add: ReturnType<typeof createCells>['add']) {
  const operations = meetOperations()
  const refreshes = meetRefreshes(world)
  const webhooks = meetWebhooks(world)
  const life = meetLife(world)
  const signIn = meetSignIn(world)
  /** Installations, upgrades and uninstalls that no exchange has shown yet. */
  const pending: LifeEvent[] = []

  const meetFor =
    (app: string | undefined, occasion: Occasion): Meet =>
    (group, row, column, of = app) => {
      if (of !== undefined) add(of, cellOf(group, row, column), occasion)
    }

  const meetPending = ({ at, marks, run }: Exchange | JournalEntry, entry: number | null) => {
    for (const event of pending.splice(0)) {
      const byAudit = run !== undefined || runOf(world, event) !== undefined
      life.happened(event, meetFor(event.app, { entry, at, marks, byAudit }))
    }
  }

  /** Counts liberties. The public documents of the platform are requested without an app's name. */
  const meetShapes = ({ surface, identity }: JournalEntry, names: string[], meet: Meet) => {
    const isPublic = surface === 'oauth' && identity.app === undefined
    const apps = isPublic
      ? [...world.store.apps.all].filter((app) => newestManifest(app).oauth?.authorize)
      : [undefined]
    for (const name of names.filter((name) => libertyKinds[name as LibertyName] === 'shape')) {
      for (const app of apps) meet('shapes', 'shapes', name, app?.id)
    }
  }

  return {
    lifeEvents: (events: LifeEvent[]) => void pending.push(...events),
    sessionEnded: signIn.sessionEnded,

    /** Sees control calls too. */
    exchange(exchange: Exchange) {
      if (exchange.surface !== 'webhook') meetPending(exchange, null)
    },

    entry(entry: JournalEntry) {
      const { surface, identity, id, at, marks, run, sender, operation, notes } = entry
      if (surface === 'admin' || surface === 'inbox') return
      const byAudit = run !== undefined || sender === 'scenario'
      const meet = meetFor(identity.app, { entry: id, at, marks, byAudit })
      if (surface === 'api') {
        operations(entry, meet)
        refreshes.refused(entry, meet)
      } else if (surface === 'webhook') {
        meetPending(entry, id)
        webhooks(entry, meet)
        life.attempted(entry, meet)
      } else if (operation === 'token') {
        refreshes.refreshed(entry, meet)
        signIn.redeemed(entry, meet)
      } else {
        life.browsed(entry, meet)
        signIn.redirected(entry, meet)
      }
      if (notes.liberties) meetShapes(entry, notes.liberties, meet)
    },
  }
}
