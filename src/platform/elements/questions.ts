import * as z from 'zod'
import { integer, itemId, list, text, unionOfKinds } from './fields.js'

// The items of `questions`, a schema for each kind of element that has them. spec: §2.3

const option = z.strictObject({ id: itemId, text })

/** spec: §2.3 "Quiz question" */
export const quizQuestion = z.strictObject({
  id: itemId,
  text,
  shuffle: z.boolean().default(false),
  require_all_correct: z.boolean().default(false),
  answers: list(z.strictObject({ id: itemId, text, is_correct: z.boolean() }), { min: 1 }),
})

/** spec: §2.3 "Submission question" */
export const submissionQuestion = z.strictObject({
  id: itemId,
  text,
  accept_text: z.boolean().default(true),
  text_required: z.boolean().default(false),
  accept_file: z.boolean().default(false),
  file_required: z.boolean().default(false),
  file_multiple: z.boolean().default(false),
})

/** spec: §2.3 "Survey question" */
export const surveyQuestion = z.strictObject({ id: itemId, text, options: list(option, { min: 2 }) })

/** spec: §2.3 `CHECKLIST` */
export const checklistItem = z.strictObject({ id: itemId, text })

const common = { text, optional: z.boolean().default(false) }

const DEFAULT_RANGE_MAX = 10

/** A range that is open at one end is compared with nothing. wire: §5 `range_min`/`range_max` */
function rangeInOrder({ range_min, range_max }: Record<string, unknown>, context: z.RefinementCtx): void {
  if (typeof range_min !== 'number' || typeof range_max !== 'number' || range_max >= range_min) return
  // The item may not have given a range_max that is the default.
  const [field, message] =
    range_max === DEFAULT_RANGE_MAX
      ? ['range_min', `must not be above range_max (${range_max})`]
      : ['range_max', `must not be below range_min (${range_min})`]
  context.addIssue({ code: 'custom', path: [field], message })
}

/** spec: §2.3 "Form question" */
export const formQuestion = unionOfKinds(
  common,
  {
    TEXT: { min_words: integer({ min: 0 }).default(1) },
    NUMBER_SCALE: { range_min: integer().default(1), range_max: integer().default(DEFAULT_RANGE_MAX) },
    MULTIPLE_CHOICE: { options: list(option, { min: 1 }) },
    STACK_RANK: { options: list(option, { min: 1 }) },
    INFO_BOX: {},
  },
  rangeInOrder,
)

const unsetNumber = integer().nullable().default(null)
const unsetText = text.nullable().default(null)

/** spec: §2.3 "Rubric question"; what is left out is null. wire: §5 */
export const rubricQuestion = unionOfKinds(
  common,
  {
    TEXT: { min_words: integer({ min: 0 }).nullable().default(null) },
    TEXT_SCALE: { options: z.array(z.strictObject({ text })).min(1) },
    NUMBER_SCALE: { range_min: unsetNumber, range_max: unsetNumber },
    YES_NO: { yes_text: unsetText, no_text: unsetText },
    INFO_BOX: {},
  },
  rangeInOrder,
)
