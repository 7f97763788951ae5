import type { DeliveryFacts, JournalEntry } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { isSuccessStatus } from '../../foundation/http/statuses.js'
import type { CreateJudge } from './judge.js'

/** unverified_signature, rejected_valid_event, slow_acknowledgement, slow_webhook_work. control-api: "Findings" */
export const judgeWebhooks: CreateJudge = (world, report) => {
  const judgeResponse = (entry: JournalEntry, { sent, event, window }: DeliveryFacts, status: number) => {
    const { notes, duration } = entry
    const isAcknowledged = isSuccessStatus(status)
    const responded = `The app responded with ${status}`
    if (sent === 'forged' && isAcknowledged) {
      report('unverified_signature', entry, `${responded} to a webhook whose signature does not match its body.`)
    }
    // A fault that leaves an event genuine does not excuse its rejection: the platform, too, sends events late and twice.
    if (sent === 'genuine' && status >= 400 && status < 500) {
      const { reason = responded } = notes
      report('rejected_valid_event', entry, `A genuine ${event} was rejected: ${reason}.`)
    }
    if (isAcknowledged && notes.fault === undefined && duration > window / 2) {
      // A measured time differs between runs, which must not show in a seeded world. wire: §1 "seed"
      const took = entry.reportedDuration === 0 ? 'more than half of its window' : `${duration} ms`
      const observation = `${event} was acknowledged after ${took}; the window is ${window / 1000} s.`
      report('slow_acknowledgement', entry, observation)
    }
  }

  return {
    judge({ entry, bearer }) {
      const { delivery, status } = entry
      if (delivery && status !== null) judgeResponse(entry, delivery, status)
      if (bearer !== undefined && isInstalling(world, bearer)) {
        const call = `${entry.method} ${entry.path}`
        report('slow_webhook_work', entry, `${call} was sent before app.installed was acknowledged.`)
      }
    },
  }
}

/** Returns true while the delivery that brought a token waits for its first response. */
function isInstalling({ store }: Pick<World, 'store'>, secret: string): boolean {
  if (store.deliveries.in('open', 'all').size === 0) return false
  const token = store.tokens.by('secret', secret)
  if (token?.grant !== 'install') return false
  return [...store.deliveries.in('installation', token.installation)].some(
    ({ event, state, attempts }) => event.type === 'app.installed' && state === 'pending' && attempts.length === 0,
  )
}
