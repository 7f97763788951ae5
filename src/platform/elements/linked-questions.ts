import type { World } from '../../emulator/world/world.js'
import type { Transaction } from '../../foundation/store/store.js'
import type { ElementRecord } from './element-record.js'

const questionIds = ({ properties: { questions } }: ElementRecord): Set<string> =>
  new Set(Array.isArray(questions) ? questions.map(({ id }: { id: string }) => id) : [])

/**
 * Cuts the responses to questions that an update has dropped or given another id off from their question, for good:
 * the same id sent later does not bring the link back. wire: §4 "activity", spec: §2.3
 */
export function unlinkQuestions(
  world: Pick<World, 'store'>,
  tx: Transaction,
  before: ElementRecord,
  after: ElementRecord,
): void {
  const left = questionIds(after)
  const gone = new Set([...questionIds(before)].filter((id) => !left.has(id)))
  if (gone.size === 0) return
  const isGone = (question: string | null) => question !== null && gone.has(question)
  for (const activity of [...world.store.activities.in('element', after.id)]) {
    if (!activity.responses.some(({ question }) => isGone(question))) continue
    const responses = activity.responses.map((response) =>
      isGone(response.question) ? { ...response, question: null } : response,
    )
    tx.put('activities', { ...activity, responses })
  }
}
