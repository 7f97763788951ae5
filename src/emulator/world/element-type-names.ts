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
