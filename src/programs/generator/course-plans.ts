import type { ElementTypeName } from '../../emulator/world/element-type-names.js'

/** The kinds of modules that take turns in a course; an element that refers to another comes after it. */
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

const subjects: [name: string, topics: string[]][] = [
  ['Workplace Safety', ['Hazards around you', 'Fire and evacuation', 'Lifting and carrying', 'Reporting an incident']],
  ['Data Protection', ['Personal data', 'Consent and purpose', 'Requests of data subjects', 'After a data leak']],
  ['Writing That Works', ['Plain sentences', 'Structure', 'Emails people answer', 'Editing your own text']],
  ['Leading a Team', ['Setting goals', 'Feedback', 'Delegating', 'Difficult conversations', 'Remote teams']],
  ['Customer Service', ['Listening', 'Complaints', 'Tone of voice', 'Handing over a case']],
  ['Project Management', ['Scope', 'Planning', 'Risks', 'Stakeholders', 'Closing a project']],
  ['Introduction to Statistics', ['Distributions', 'Sampling', 'Correlation', 'Testing a hypothesis']],
  ['Negotiation', ['Interests and positions', 'Preparation', 'Making the first offer', 'Walking away']],
  ['Food Hygiene', ['Temperature', 'Cross-contamination', 'Cleaning plans', 'Allergens']],
  ['Secure Coding', ['Untrusted input', 'Authentication', 'Secrets', 'Dependencies', 'Reviewing code']],
  ['Onboarding', ['Who we are', 'Your first week', 'Tools', 'Benefits and leave']],
  ['Public Speaking', ['Your message', 'Slides', 'Voice and pace', 'Questions from the audience']],
]

/** Added to the name of a subject that has several courses. */
const levels = ['', 'Foundations', 'In Practice', 'Advanced', 'Refresher', 'for Trainers']

/** Returns the name of a course, and the topics of its modules. */
export function courseOf(course: number) {
  const [name, topics] = subjects[course % subjects.length] as (typeof subjects)[number]
  const round = Math.floor(course / subjects.length)
  const level = levels[round % levels.length]
  const cohort = Math.floor(round / levels.length)
  return { name: `${name}${level ? `: ${level}` : ''}${cohort > 0 ? ` (cohort ${cohort + 1})` : ''}`, topics }
}
