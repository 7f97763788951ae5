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

/** Subjects of courses, with the topics of their modules. */
const subjects: readonly { name: string; topics: readonly string[] }[] = [
  {
    name: 'Workplace Safety',
    topics: ['Hazards around you', 'Fire and evacuation', 'Lifting and carrying', 'Reporting an incident'],
  },
  {
    name: 'Data Protection',
    topics: ['Personal data', 'Consent and purpose', 'Requests of data subjects', 'When data leak'],
  },
  {
    name: 'Writing That Works',
    topics: ['Plain sentences', 'Structure', 'Emails people answer', 'Editing your own text'],
  },
  {
    name: 'Leading a Team',
    topics: ['Setting goals', 'Feedback', 'Delegating', 'Difficult conversations', 'Remote teams'],
  },
  {
    name: 'Customer Service',
    topics: ['Listening', 'Complaints', 'Tone of voice', 'Handing over a case'],
  },
  {
    name: 'Project Management',
    topics: ['Scope', 'Planning', 'Risks', 'Stakeholders', 'Closing a project'],
  },
  {
    name: 'Introduction to Statistics',
    topics: ['Distributions', 'Sampling', 'Correlation', 'Testing a hypothesis'],
  },
  {
    name: 'Negotiation',
    topics: ['Interests and positions', 'Preparation', 'Making the first offer', 'Walking away'],
  },
  {
    name: 'Food Hygiene',
    topics: ['Temperature', 'Cross-contamination', 'Cleaning plans', 'Allergens'],
  },
  {
    name: 'Secure Coding',
    topics: ['Untrusted input', 'Authentication', 'Secrets', 'Dependencies', 'Reviewing code'],
  },
  {
    name: 'Onboarding',
    topics: ['Who we are', 'Your first week', 'Tools', 'Benefits and leave'],
  },
  {
    name: 'Public Speaking',
    topics: ['Your message', 'Slides', 'Voice and pace', 'Questions from the audience'],
  },
]

/** Added to the name of a subject that has several courses. */
const levels = ['', 'Foundations', 'In Practice', 'Advanced', 'Refresher', 'for Trainers'] as const

/** Returns the name of a course, and the topics of its modules. */
export function courseOf(course: number) {
  const { name, topics } = subjects[course % subjects.length] as (typeof subjects)[number]
  const round = Math.floor(course / subjects.length)
  const level = levels[round % levels.length]
  const cohort = Math.floor(round / levels.length)
  return { name: `${name}${level ? `: ${level}` : ''}${cohort > 0 ? ` (cohort ${cohort + 1})` : ''}`, topics }
}
