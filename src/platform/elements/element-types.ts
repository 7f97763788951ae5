import * as z from 'zod'
import type { ElementTypeName } from '../../emulator/world/element-type-names.js'
import { date, integer, list, percentage, text, webUrl } from './fields.js'
import { membersInOrder, onlyUrlVideosChange, type Rule } from './property-rules.js'
import {
  checklistItem,
  formQuestion,
  quizQuestion,
  rubricQuestion,
  submissionQuestion,
  surveyQuestion,
} from './questions.js'
import {
  type Presenter,
  presentSource,
  type ReferenceRule,
  refersWithinTheCourse,
  scoreInput,
  sourceInput,
  sourceIs,
  sourceOutput,
} from './references.js'

export interface Property {
  /** A value in a request, read as it is stored. Never sees null; null resets the property. */
  input: z.ZodType
  /** The value of the property when it is not set. wire: §4 */
  default: string | null | readonly never[]
  /** The form of the property in a response, where it differs from the input. */
  output?: z.ZodType
  present?: Presenter
}

interface ElementType {
  properties: Record<string, Property>
  /** Between the properties that result. */
  rules: Rule[]
  /** About what a request changes: a document, being a state, changes nothing. */
  changes: Rule[]
  /** About other elements. */
  references: ReferenceRule[]
}

const type = (
  properties: Record<string, Property>,
  { rules = [], changes = [], references = [] }: Partial<Omit<ElementType, 'properties'>> = {},
): ElementType => ({ properties, rules, changes, references })

const optional = (input: z.ZodType): Property => ({ input, default: null })
const items = (item: z.ZodType): Property => ({ input: list(item), default: [] })
const source: Property = { input: sourceInput, default: null, output: sourceOutput, present: presentSource }

const dates = { start_date: optional(date), end_date: optional(date) }
const audience = optional(z.enum(['everyone', 'lecturers']))

const providerMeeting = () => type({ ...dates, meeting_reports: optional(z.boolean()) })
const submission = () => type({ questions: items(submissionQuestion) })

/** One of the seven types with a rubric. spec: §2.3 "Required element type of `source`" */
const review = (...sources: ElementTypeName[]) =>
  type({ source, questions: items(rubricQuestion) }, { references: [sourceIs(sources)] })

const completionRule = z.strictObject({ type: z.enum(['POST', 'COMMENT']), count: integer({ min: 1 }) })

/** wire: §5 `completion_rules` */
const completionRules = z.strictObject({
  operator: z.enum(['AND', 'OR']).default('AND'),
  rules: z
    .array(completionRule)
    .min(1)
    .superRefine(
      (rules: unknown, context) => {
        if (!Array.isArray(rules)) return
        const types = rules.map((rule) => rule?.type)
        for (const [index, type] of types.entries()) {
          if (typeof type !== 'string' || types.indexOf(type) === index) continue
          const message = `is given twice: ${type} may have one rule`
          context.addIssue({ code: 'custom', path: [index, 'type'], message })
        }
      },
      { when: () => true },
    ),
})

/** Every element type, as data. Validation, defaults, OpenAPI and fixtures all read this table. spec: §2.2, §2.3 */
export const elementTypes: Record<ElementTypeName, ElementType> = {
  CONTENT: type({}),

  /** spec: §2.3. A SOURCE video was uploaded in the web app, so its URL is not for clients to set. */
  VIDEO: type(
    { video_url: optional(webUrl), video_type: { input: z.enum(['URL', 'SOURCE']), default: 'URL' } },
    { changes: [onlyUrlVideosChange] },
  ),

  MEETING_PROVIDER_A: providerMeeting(),
  MEETING_PROVIDER_B: providerMeeting(),
  MEETING_LINK: type({ meeting_url: optional(webUrl), ...dates }),

  QUIZ: type({
    passing_score: optional(percentage),
    completion_trigger: optional(z.enum(['on_pass', 'on_submit'])),
    questions: items(quizQuestion),
  }),

  SUBMISSION: submission(),
  GROUP_SUBMISSION: submission(),
  EMBED: type({ embed: optional(text) }),
  SURVEY: type({ questions: items(surveyQuestion) }),

  SCORM: type({ scorm_url: optional(webUrl), scorm_user_identifier: optional(z.enum(['user_id', 'user_email'])) }),

  CERTIFICATE: type({
    certificate_title: optional(text),
    certificate_description: optional(text),
    certificate_course_name: optional(text),
    certificate_issued_by: optional(text),
  }),

  TAG: type({}),
  PARTNER_LEARNING: type({}),

  SELF_REVIEW: review('SUBMISSION'),
  PEER_REVIEW: review('SUBMISSION'),
  AI_REVIEW: review('SUBMISSION'),
  INSTRUCTOR_REVIEW: review('SUBMISSION', 'GROUP_SUBMISSION'),
  FEEDBACK_REFLECTION: review('PEER_REVIEW'),
  GROUP_PEER_REVIEW: review('GROUP_SUBMISSION'),
  GROUP_FEEDBACK_REFLECTION: review('GROUP_PEER_REVIEW'),

  /** spec: §2.3. It has no questions. */
  INSTRUCTOR_DISCUSSION: type({ source }, { references: [sourceIs(['SUBMISSION', 'GROUP_SUBMISSION'])] }),

  CHECKLIST: type({ questions: items(checklistItem) }),
  DISCUSSION: type({ restrict_posts_to: audience, completion_rules: optional(completionRules) }),
  FILE: type({ file_url: optional(webUrl) }),

  GROUP_FORMATION: type(
    {
      min_members: optional(integer({ min: 1 })),
      max_members: optional(integer({ min: 1 })),
      restrict_group_creation_to: audience,
      group_threads_enabled: optional(z.boolean()),
    },
    { rules: [membersInOrder] },
  ),

  FORM: type({ questions: items(formQuestion) }),

  SCORE: type(
    {
      passing_score: optional(percentage),
      passing_score_comparator: optional(
        z.enum(['greater_than', 'greater_than_or_equal', 'equal_to', 'less_than', 'less_than_or_equal']),
      ),
      incomplete_inputs_handling: optional(z.enum(['ignore', 'score_as_zero'])),
      inputs: items(scoreInput),
    },
    { references: [refersWithinTheCourse] },
  ),
}

export const isElementType = (name: unknown): name is ElementTypeName =>
  typeof name === 'string' && Object.hasOwn(elementTypes, name)
