import type { World } from '../../emulator/world/world.js'
import type { Transaction } from '../../foundation/store/store.js'
import type { ElementRecord } from './element-record.js'

const questionIds = ({ properties: { questions } }: ElementRecord): Set<string> =>
  new Set(Array.isArray(questions) ? questions.map(({ id }: { id: string }) => id) : [])

/**
 * Unlinks responses from questions that an update removes or renames, permanently: sending the same id later does not
 * restore the link. wire: §4 "activity", spec: §2.3
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
