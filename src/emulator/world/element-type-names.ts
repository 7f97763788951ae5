import type { SchemaWords } from '../../foundation/schema/lazy-schema.js'

/** Every element type, in the platform's order. spec: §2.2 */
export const elementTypeNames = [
  'CONTENT',
  'VIDEO',
  'MEETING_PROVIDER_A',
  'MEETING_LINK',
  'QUIZ',
  'SUBMISSION',
  'GROUP_SUBMISSION',
  'EMBED',
  'SURVEY',
  'SCORM',
  'CERTIFICATE',
  'TAG',
  'PARTNER_LEARNING',
  'SELF_REVIEW',
  'PEER_REVIEW',
  'FEEDBACK_REFLECTION',
  'INSTRUCTOR_REVIEW',
  'INSTRUCTOR_DISCUSSION',
  'AI_REVIEW',
  'CHECKLIST',
  'DISCUSSION',
  'FILE',
  'GROUP_FORMATION',
  'FORM',
  'SCORE',
  'GROUP_PEER_REVIEW',
  'GROUP_FEEDBACK_REFLECTION',
  'MEETING_PROVIDER_B',
] as const

/** The neutral name of an element type. spec: §2.2 */
export type ElementTypeName = (typeof elementTypeNames)[number]

/** The names of element types on the wire; each must be unique. wire: §7 `element_type_names` */
export const typeNameMap = ({ z }: SchemaWords) =>
  z.record(z.string(), z.string().min(1)).superRefine((names, context) => {
    for (const type of Object.keys(names)) {
      if (!elementTypeNames.some((name) => name === type)) {
        const message = `is not an element type; they are ${elementTypeNames.join(', ')}`
        context.addIssue({ code: 'custom', path: [type], message })
      }
    }
    const used = elementTypeNames.map((type) => (Object.hasOwn(names, type) ? (names[type] as string) : type))
    for (const [index, type] of elementTypeNames.entries()) {
      const other = elementTypeNames[used.indexOf(used[index] as string)]
      if (other === type || other === undefined) continue
      const path = Object.hasOwn(names, type) ? type : other
      const message = `"${used[index]}" would name both ${other} and ${type}`
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })
