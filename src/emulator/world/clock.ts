import { MAX_TIMEOUT } from '../../foundation/schema/duration.js'
import type { Store } from '../../foundation/store/store.js'
import { clearTimeout, setTimeout } from '../../foundation/time/real-timers.js'
import type { ClockRecord } from './clock-record.js'
import type { ClockMove } from './parts.js'
import type { GivenSettings } from './setting-table.js'

/** A callback at a moment of the emulator's clock. */
interface Entry {
  due: number
  run: () => Promise<void> | void
}

/** Entries that are due in the time of one organization, or of none, by id. */
interface Agenda {
  entries: Map<string, Entry>
  timer?: NodeJS.Timeout
}

/** An agenda, and how far its time is ahead of that in which moments are compared. */
type Paced = [agenda: Agenda, ahead: number]

/** The newest moves of clocks that are kept. */
const MOVES = 200

const timestamp = (ms: number) => new Date(ms).toISOString()

/** Time in a world. An organization of null means the emulator's. */
export type Clock = ReturnType<typeof createClock>

/**
 * Creates the clocks of a world: the emulator's over the store's clock record, which `startClock` makes when the world is
 * seeded, and that of each organization, which is the emulator's until a call moves it on its own. Their states are
 * records of the store, so that resets, snapshots and restarts restore them.
 */
export function createClock(store: Store) {
  const agendas = new Map<string | null, Agenda>()
  /** The organizations whose clocks are being advanced; null for the emulator's. */
  const advancing = new Set<string | null>()
  const moves: ClockMove[] = []
  let closed = false
  let epoch = 0

  const record = (): ClockRecord => store.clock.get('clock') ?? startClock({})
  const own = (organization: string | null) =>
    organization === null ? undefined : store.organization_clocks.get(organization)
  const clockOf = (organization: string | null) =>
    (organization === null ? record() : own(organization)) ?? { frozen: false, offset: 0 }

  const emulatorNow = () => {
    const { frozen, at, offset } = record()
    return frozen && at ? Date.parse(at) : Date.now() + offset
  }
  const at = (organization: string | null, moment: number) => {
    const clock = own(organization)
    if (!clock) return moment
    return clock.frozen && clock.at ? Date.parse(clock.at) : moment + clock.offset
  }
  const now = (organization: string | null) => at(organization, emulatorNow())
  const isFrozen = (organization: string | null) => record().frozen || own(organization)?.frozen === true

  const set = (organization: string | null, state: Pick<ClockRecord, 'frozen' | 'at' | 'offset'>) =>
    store.change((tx) => {
      if (organization === null) return tx.put('clock', { ...record(), ...state })
      const created_at = timestamp(emulatorNow())
      const clock = own(organization) ?? { id: organization, sequence: tx.next(), created_at }
      tx.put('organization_clocks', { ...clock, ...state })
    })

  const noteMove = (kind: ClockMove['kind'], organization: string | null, from: number) => {
    moves.push({ organization, kind, from: timestamp(from), to: timestamp(now(organization)) })
    if (moves.length > MOVES) moves.shift()
  }

  /** Moves one clock forward to a moment of its own time. */
  const move = (organization: string | null, to: number) => {
    const present = now(organization)
    const { frozen, offset } = clockOf(organization)
    if (frozen) set(organization, { frozen, at: timestamp(to), offset })
    else if (to > present) set(organization, { frozen, at: null, offset: offset + to - present })
  }

  /** Lists the agendas that move with a clock: all that follow the emulator's, or an organization's alone. */
  const movingWith = (organization: string | null): Paced[] => {
    if (organization !== null) return agendas.has(organization) ? [[agendas.get(organization) as Agenda, 0]] : []
    return [...agendas]
      .filter(([slug]) => own(slug)?.frozen !== true)
      .map(([slug, agenda]): Paced => [agenda, own(slug)?.offset ?? 0])
  }

  /** Runs all that is due by `end`, one instant after the other. @param reach called before each instant. */
  const runDue = async (moving: () => Paced[], end: number, reach: (instant: number) => void = () => {}) => {
    const started = epoch
    for (;;) {
      const paced = moving()
      const instant = firstOf(paced)
      if (instant > end || started !== epoch || closed) return
      reach(instant)
      await Promise.all(takeDue(paced, instant).map((entry) => entry.run()))
    }
  }

  const arm = (organization: string | null) => {
    const agenda = agendas.get(organization)
    if (!agenda) return
    clearTimeout(agenda.timer)
    if (agenda.entries.size === 0) return void agendas.delete(organization)
    if (closed || advancing.has(organization) || advancing.has(null)) return
    const paced: Paced[] = [[agenda, 0]]
    const wait = firstOf(paced) - now(organization)
    if (isFrozen(organization) && wait > 0) return
    const run = () => void runDue(() => paced, now(organization)).finally(() => arm(organization))
    // A later entry is looked at again then.
    agenda.timer = setTimeout(run, Math.min(Math.max(wait, 0), MAX_TIMEOUT))
  }
  /** Sets the timers of what moves with a clock. */
  const armMoved = (organization: string | null) => {
    for (const slug of organization === null ? [...agendas.keys()] : [organization]) arm(slug)
  }

  const forget = (organization: string | null) => {
    clearTimeout(agendas.get(organization)?.timer)
    agendas.delete(organization)
  }
  store.onChange((changes) => {
    for (const { collection, id, after } of changes) if (collection === 'organizations' && !after) forget(id)
  })

  return {
    /** Milliseconds since 1970. */
    now,
    /** The time of an organization when the emulator's was `moment`, both in ms since 1970. */
    at,
    /** `now`, or `ms` later, as a timestamp of the wire. wire: §1 */
    timestamp: (organization: string | null, ms = 0) => timestamp(now(organization) + ms),
    /** `offset`: distance of a running clock from the machine's, an organization's from the emulator's; kept while frozen. */
    state(organization: string | null): { now: string; frozen: boolean; offset: number } {
      const { offset } = clockOf(organization)
      return { now: timestamp(now(organization)), frozen: isFrozen(organization), offset }
    },
    /** The organizations whose clocks have been moved on their own. */
    organizations: () => Array.from(store.organization_clocks.all, ({ id }) => id),
    /** Milliseconds that it is ahead of the machine's at this moment, behind when negative. */
    ahead: (organization: string | null) => now(organization) - Date.now(),
    /** Returns the milliseconds since 1970 of the machine's clock. */
    machineNow: (): number => Date.now(),
    freeze(organization: string | null, moment = now(organization)) {
      const { offset } = clockOf(organization)
      const from = now(organization)
      set(organization, { frozen: true, at: timestamp(moment), offset })
      noteMove('freeze', organization, from)
      armMoved(organization)
    },
    resume(organization: string | null) {
      const follows = organization === null ? Date.now() : emulatorNow()
      if (clockOf(organization).frozen) {
        set(organization, { frozen: false, at: null, offset: now(organization) - follows })
        noteMove('resume', organization, now(organization))
      }
      armMoved(organization)
    },
    /**
     * Moves time `by` ms forward. What falls due happens at its own moment: everything due at one instant together,
     * a later instant when the earlier ones have ended. Organizations whose own clock is frozen do not move with the
     * emulator's. False when another advance of the same time is under way.
     */
    async advance(organization: string | null, by: number): Promise<boolean> {
      const others = organization === null ? advancing.size > 0 : advancing.has(organization) || advancing.has(null)
      if (others) return false
      advancing.add(organization)
      armMoved(organization)
      const started = epoch
      try {
        const from = now(organization)
        const before = clockOf(organization)
        const target = from + by
        const reach = (instant: number) => move(organization, Math.max(instant, now(organization)))
        await runDue(() => movingWith(organization), target, reach)
        // After a reset this is another time, in which this advance never was.
        if (started === epoch) {
          const { frozen, offset } = clockOf(organization)
          if (frozen || before.frozen) reach(target)
          // By exactly `by`, however long it took in real time.
          else set(organization, { frozen, at: null, offset: Math.max(offset, before.offset + by) })
          noteMove('advance', organization, from)
        }
      } finally {
        advancing.delete(organization)
        armMoved(organization)
      }
      return true
    },
    /**
     * Runs `run` at `due` (ms since 1970) in the time of an organization, at once when that is past. The same `id` replaces
     * its earlier entry. Entries of an organization that is deleted are dropped.
     */
    schedule(organization: string | null, id: string, due: number, run: Entry['run']) {
      const agenda = agendas.get(organization) ?? { entries: new Map<string, Entry>() }
      agendas.set(organization, agenda)
      agenda.entries.set(id, { due, run })
      arm(organization)
    },
    /** Forgets every entry, before the world is replaced; an advance under way stops where it is. */
    cancelAll() {
      epoch++
      for (const organization of [...agendas.keys()]) forget(organization)
    },
    /** The newest moves of all clocks, oldest first: those of a world that a reset has ended are forgotten. */
    moves: (): readonly ClockMove[] => moves,
    forgetMoves() {
      moves.length = 0
    },
    /** Ends the real timers. */
    close() {
      closed = true
      for (const { timer } of agendas.values()) clearTimeout(timer)
    },
  }
}

/** Returns the moment of the earliest entry; infinity when there is none. */
function firstOf(agendas: Paced[]): number {
  let first = Number.POSITIVE_INFINITY
  for (const [{ entries }, ahead] of agendas)
    for (const { due } of entries.values()) first = Math.min(first, due - ahead)
  return first
}

function takeDue(agendas: Paced[], instant: number): Entry[] {
  return agendas.flatMap(([{ entries }, ahead]) => {
    const due = [...entries].filter(([, entry]) => entry.due - ahead === instant)
    for (const [id] of due) entries.delete(id)
    return due.map(([, entry]) => entry)
  })
}

/** Creates the clock's first record: stopped with a seed or at `now`, else running with the machine's time. wire: §1 "seed" */
export function startClock({ seed, now }: GivenSettings): ClockRecord {
  // With a seed at the machine's time, so that clients which check an exp against theirs can sign in.
  const stopped = now ?? (seed === undefined ? undefined : timestamp(Date.now()))
  const at = stopped === undefined ? undefined : Date.parse(stopped)
  return {
    id: 'clock',
    sequence: 0,
    created_at: timestamp(at ?? Date.now()),
    frozen: at !== undefined,
    at: at === undefined ? null : timestamp(at),
    offset: 0,
  }
}
