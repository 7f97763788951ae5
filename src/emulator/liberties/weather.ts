import { bearerOf } from '../../foundation/http/bearer.js'
import { Refusal } from '../../foundation/http/refusal.js'
import { units } from '../../foundation/schema/duration.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { pauseOrAbort } from '../../foundation/time/real-timers.js'
import type { RequestContext } from '../serving/surface.js'
import { isPlatformApi } from '../world/exchange.js'
import type { LibertyName } from '../world/liberty-names.js'
import type { Delivery, Liberty, Turn } from './liberty.js'

/** Real milliseconds: the longest that a response and an event wait. */
const MAX_DELAY = 2_000
const MAX_HELD = 1_000

const LIFECYCLE = ['app.installed', 'app.uninstalled']

/** Returns the access token of a request, if it is one. */
function tokenOf({ world, request }: RequestContext): RecordOf<'tokens'> | undefined {
  const token = world.store.tokens.by('secret', bearerOf(request.headers) ?? '')
  return token?.kind === 'access' && token.ended === null ? token : undefined
}

/** Returns true in the first installation of an app, which no weather disturbs. */
export function isFirstInstall({ store }: Turn['world'], app: string): boolean {
  const [only, ...more] = [...store.installations.in('app', app)]
  if (!only || more.length > 0) return false
  return [...store.deliveries.in('installation', only.id)].some(
    ({ event, state }) => event.type === 'app.installed' && (state === 'pending' || state === 'retrying'),
  )
}

export const weather = {
  hiccup: {
    varies: 'a 503 or a 429 with `Retry-After: 1`, before anything is done',
    open: ['RFC 9110 §15.6.4; spec: §8: rate limits are not shown'],
    weather(context, turn) {
      if (!isPlatformApi(context.surface.name) || turn.ownChance.happens(0.75)) return false
      const name = turn.ownChance.of(['unavailable', 'rate_limited'] as const)
      return new Refusal(name, { headers: { 'retry-after': '1' }, reason: 'Liberty hiccup' })
    },
  },
  slow: {
    varies: 'responses are delayed by up to 2 s',
    open: ['spec: the time that a response takes is not shown'],
    async weather(context, turn) {
      if (!isPlatformApi(context.surface.name) || turn.ownChance.happens(0.75)) return false
      await pauseOrAbort(turn.ownChance.integer(100, MAX_DELAY), context.request.signal)
      return true
    },
  },
  'early-end': {
    varies: "an installation's access token expires up to 5 minutes early and stays expired; a refreshed one works",
    open: ['spec: §5.2.3: on a 401 a client refreshes once and retries'],
    weather(context, turn) {
      const token = context.surface.name === 'api' ? tokenOf(context) : undefined
      if (!token) return false
      const left = Date.parse(token.expires_at) - turn.world.clock.now(token.organization)
      // By its number, since ids differ between runs.
      if (left <= 0 || left > turn.stableChance(String(token.sequence)).fraction() * 5 * units.m) return false
      const refusal = context.surface.refusalFor?.('token_expired', context)
      return new Refusal('unauthorized', {
        headers: refusal?.headers ?? {},
        reason: `Liberty early-end: the access token expired before ${token.expires_at}`,
      })
    },
  },
  'key-rotation': {
    varies: 'the signing key is rotated on a token request; the new key is published an hour before it signs',
    open: ['spec: §8: keys may be cached for an hour, and no longer'],
    weather(_, turn) {
      if (turn.operation !== 'oauth token' || turn.ownChance.happens(0.5)) return false
      turn.world.keys.rotate({ retire: false, after: units.h })
      return true
    },
  },
  'duplicate-events': {
    varies: 'an acknowledged event is sent again with the same id, immediately or an hour later',
    open: ['wire: §7 "retries"', 'spec: §6: the retry schedule is not shown'],
    repeat(delivery, turn) {
      if (delivery.state !== 'acknowledged' || turn.ownChance.happens(0.4)) return false
      const { clock, outbox } = turn.world
      const marked = noteLiberty(delivery, 'duplicate-events', turn)
      const again = () => void outbox.redeliver(marked).catch(() => undefined)
      if (turn.ownChance.happens(0.5)) again()
      else clock.schedule(marked.organization, `liberty/${marked.id}`, clock.now(marked.organization) + units.h, again)
      return true
    },
  },
  'reordered-events': {
    varies:
      "an event is held for up to 1 s of real time so that the installation's next event overtakes it; never `app.installed` or `app.uninstalled`, whose timing is documented ([spec §6](platform.md#s6))",
    open: ['spec: §6: the order of events is not shown'],
    hold(delivery, turn) {
      const { closing, outbox, store } = turn.world
      const others = () => [...store.deliveries.in('installation', delivery.installation)]
      const isWaiting = ({ tries, liberties = [] }: Delivery) => tries === 0 && liberties.includes('reordered-events')
      if (LIFECYCLE.includes(delivery.event.type) || others().some(isWaiting) || turn.ownChance.happens(0.5))
        return false
      noteLiberty(delivery, 'reordered-events', turn)
      const overtaken = new AbortController()
      const stopListening = outbox.onEnd(() => {
        if (others().some((each) => each.tries > 0 && each.sequence > delivery.sequence)) overtaken.abort()
      })
      const signal = AbortSignal.any([overtaken.signal, closing])
      void pauseOrAbort(MAX_HELD, signal, { ref: false }).then(() => {
        stopListening()
        const current = store.deliveries.get(delivery.id)
        if (current && !closing.aborted) outbox.send([current])
      })
      return true
    },
  },
  'unknown-event': {
    varies: 'an event of an undocumented type after each install',
    open: ['spec: §6: more events are not ruled out'],
    follow(delivery, turn) {
      const { outbox, store } = turn.world
      // The installation may have ended with a reset, or with its organization.
      if (delivery.event.type === 'app.installed' && store.deliveries.get(delivery.id))
        outbox.send([unknownEvent(delivery, turn)])
    },
  },
} satisfies Record<string, Liberty>

/** Names the liberty in the delivery: the journal's entries of its further attempts do. */
function noteLiberty(delivery: Delivery, name: LibertyName, turn: Turn): Delivery {
  turn.take()
  const liberties = [...(delivery.liberties ?? []), name]
  return turn.world.store.change((tx) => tx.put('deliveries', { ...delivery, liberties }))
}

function unknownEvent({ body, ...like }: Delivery, turn: Turn): Delivery {
  const { random, store, clock } = turn.world
  turn.take()
  const event = { id: random.eventId(), type: 'app.reviewed' }
  const created_at = clock.timestamp(like.organization)
  const { installation_id, data } = JSON.parse(body)
  const { organization, app } = data
  const envelope = { ...event, created_at, installation_id, data: { organization, app, stars: 5 } }
  const unsent = { state: 'pending', due_at: created_at, ended_at: null, tries: 0, held: null } as const
  const written = { event, body: JSON.stringify(envelope), liberties: ['unknown-event'] }
  return store.change((tx) =>
    tx.add('deliveries', { ...like, ...unsent, id: random.id(), created_at, ...written, attempts: [] }),
  )
}
