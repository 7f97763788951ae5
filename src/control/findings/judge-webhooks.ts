import type { World } from '../../emulator/world/world.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import type { CreateJudge } from './judge.js'

/** unverified_signature, rejected_valid_event, slow_acknowledgement, slow_webhook_work. control-api: "Findings" */
export const judgeWebhooks: CreateJudge = (world, report) => ({
  judge({ entry, bearer }) {
    const { delivery, status, notes, duration } = entry
    if (delivery && status !== null) {
      const acknowledged = status >= 200 && status < 300
      if (delivery.sent === 'forged' && acknowledged) {
        report(
          'unverified_signature',
          entry,
          `The app answered ${status} to a webhook whose signature does not match its body.`,
        )
      }
      if (delivery.sent === 'genuine' && notes.fault === undefined && status >= 400 && status < 500) {
        report('rejected_valid_event', entry, `The app answered ${status} to a genuine ${delivery.event}.`)
      }
      if (acknowledged && notes.fault === undefined && duration > delivery.window / 2) {
        const window = `the window is ${delivery.window / 1000} s`
        // What was measured differs between runs, which a seeded world must not. wire: §1 "seed"
        const took = entry.told === 0 ? `more than half of its window; ${window}` : `${duration} ms; ${window}`
        report('slow_acknowledgement', entry, `${delivery.event} was acknowledged after ${took}.`)
      }
    }
    if (entry.surface !== 'api' || bearer === undefined) return
    const installing = world.store.deliveries.in('open', 'all').size > 0 && installingFor(world, bearer)
    if (installing) {
      report(
        'slow_webhook_work',
        entry,
        `${entry.method} ${entry.path} was sent before app.installed was acknowledged.`,
      )
    }
  },
})

/** The delivery that brought a token, while it waits for its first acknowledgement. */
function installingFor({ store }: World, secret: string): RecordOf<'deliveries'> | undefined {
  const token = store.tokens.by('secret', secret)
  if (token?.grant !== 'install') return undefined
  return [...store.deliveries.in('installation', token.installation)].find(
    ({ event, state, attempts }) => event.type === 'app.installed' && state === 'pending' && attempts.length === 0,
  )
}
