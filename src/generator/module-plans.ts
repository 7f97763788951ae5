import type { ElementTypeName } from '../world/element-type-names.js'

/** The kinds of modules that take turns in a course; what refers to another element comes after it. */
export const modulePlans: readonly (readonly ElementTypeName[])[] = [
  ['CONTENT', 'VIDEO', 'QUIZ', 'FILE', 'SURVEY', 'CHECKLIST', 'EMBED', 'SCORE', 'TAG', 'CERTIFICATE'],
  [
    'CONTENT',
    'SUBMISSION',
    'SELF_REVIEW',
    'PEER_REVIEW',
    'FEEDBACK_REFLECTION',
    'AI_REVIEW',
    'INSTRUCTOR_REVIEW',
    'FORM',
  ],
  ['VIDEO', 'MEETING_LINK', 'SUBMISSION', 'INSTRUCTOR_DISCUSSION', 'DISCUSSION', 'SCORM', 'PARTNER_LEARNING'],
  [
    'MEETING_PROVIDER_A',
    'GROUP_FORMATION',
    'GROUP_SUBMISSION',
    'GROUP_PEER_REVIEW',
    'GROUP_FEEDBACK_REFLECTION',
    'MEETING_PROVIDER_B',
  ],
]
