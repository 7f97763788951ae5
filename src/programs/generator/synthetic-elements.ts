import type { ElementTypeName } from '../../emulator/world/element-type-names.js'
import type { Draws } from './draws.js'

export interface Surroundings {
  topic: string
  course: string
  organization: { slug: string; name: string }
  day: string
  /** The element of that type that precedes it in its module. */
  earlier(type: ElementTypeName): string
}

export interface SyntheticElement {
  name: string
  content?: string
  properties?: Record<string, unknown>
  /** The result of a member's work on it; completed, with no score, when left out. */
  work?: (draws: Draws) => Record<string, unknown>
  groups?: true
}

type Make = (around: Surroundings) => SyntheticElement

const scale = (text: string) => ({ id: 'scale', type: 'NUMBER_SCALE', text, range_min: 1, range_max: 10 })

const review =
  (name: string, source: ElementTypeName, more: Partial<SyntheticElement> = {}): Make =>
  ({ topic, earlier }) => ({
    name: `${name}: ${topic}`,
    properties: {
      source: { id: earlier(source) },
      questions: [scale('How convincing is it?'), { id: 'advice', type: 'TEXT', text: 'What would you change?' }],
    },
    work: (draws) => ({
      responses: [
        { question: 'scale', value: draws.integer(3, 10) },
        { question: 'advice', value: draws.of(advice) },
      ],
    }),
    ...more,
  })

const submission =
  (what: string): Make =>
  ({ topic }) => ({
    name: `${what}: ${topic}`,
    content: `Write about **${topic.toLowerCase()}** in your own work, in at most 300 words.`,
    properties: {
      questions: [
        { id: 'text', text: `What does "${topic}" mean where you work?`, text_required: true },
        { id: 'file', text: 'Attach an example, if you have one.', accept_text: false, accept_file: true },
      ],
    },
    work: (draws) => {
      const responses = [{ question: 'text', value: draws.of(answers) }]
      if (draws.happens(0.4)) return { status: 'submitted', responses }
      const score = draws.integer(40, 100)
      return { status: 'graded', passed: score >= 60, score, responses }
    },
  })

/** Returns what makes an element that is named after a topic. */
const titled =
  (title: string, propertiesOf?: (around: Surroundings) => SyntheticElement['properties']): Make =>
  (around) => ({ name: `${title}: ${around.topic}`, ...(propertiesOf && { properties: propertiesOf(around) }) })

const meeting = (title: string) =>
  titled(title, ({ day }) => ({ start_date: `${day}T09:00:00Z`, end_date: `${day}T10:00:00Z`, meeting_reports: true }))

/** One element of each type, as a course about anything could have it. spec: §2.3 */
export const syntheticElements: Record<ElementTypeName, Make> = {
  CONTENT: ({ topic, course }) => ({
    name: topic,
    content: `# ${topic}\n\nThis part of _${course}_ takes **fifteen minutes**. Read it before the quiz.`,
  }),
  VIDEO: ({ topic, organization, course }) => ({
    name: `${topic}, explained`,
    properties: { video_url: urlOf('videos', organization, course, topic) },
  }),
  MEETING_PROVIDER_A: meeting('Kick-off'),
  MEETING_PROVIDER_B: meeting('Retrospective'),
  MEETING_LINK: titled('Office hours', ({ topic, organization, day }) => ({
    meeting_url: urlOf('meet', organization, topic),
    start_date: day,
    end_date: day,
  })),
  QUIZ: ({ topic }) => ({
    name: `${topic}: check yourself`,
    properties: {
      passing_score: 70,
      completion_trigger: 'on_pass',
      questions: [
        {
          id: 'first',
          text: `What comes first in "${topic}"?`,
          answers: [
            { id: 'right', text: 'Finding out what is needed', is_correct: true },
            { id: 'wrong', text: 'Doing what was done last time', is_correct: false },
          ],
        },
      ],
    },
    work: (draws) => {
      const passed = draws.happens(0.75)
      const responses = [{ question: 'first', value: passed ? 'right' : 'wrong' }]
      return { passed, score: passed ? 100 : 0, responses }
    },
  }),
  SUBMISSION: submission('Exercise'),
  GROUP_SUBMISSION: (around) => ({ ...submission('Team exercise')(around), groups: true }),
  EMBED: titled('Try it out', ({ topic, organization }) => ({
    embed: `<iframe src="${urlOf('tools', organization, topic)}"></iframe>`,
  })),
  SURVEY: ({ topic }) => ({
    name: `Your experience: ${topic}`,
    properties: {
      questions: [
        {
          id: 'often',
          text: `How often do you meet "${topic.toLowerCase()}" at work?`,
          options: ['Daily', 'Weekly', 'Rarely'].map((text) => ({ id: text.toLowerCase(), text })),
        },
      ],
    },
    work: (draws) => ({ responses: [{ question: 'often', value: draws.of(['daily', 'weekly', 'rarely']) }] }),
  }),
  SCORM: ({ topic, organization }) => ({
    name: `Simulation: ${topic}`,
    properties: { scorm_url: `${urlOf('cdn', organization, 'scorm', topic)}.zip`, scorm_user_identifier: 'user_id' },
  }),
  CERTIFICATE: titled('Certificate', ({ course, organization }) => ({
    certificate_title: 'Certificate of Completion',
    certificate_course_name: course,
    certificate_issued_by: organization.name,
  })),
  TAG: ({ topic }) => ({ name: topic.toLowerCase() }),
  PARTNER_LEARNING: titled('From our partners'),
  SELF_REVIEW: review('Review your own work', 'SUBMISSION'),
  PEER_REVIEW: review("Review a peer's work", 'SUBMISSION'),
  FEEDBACK_REFLECTION: review('Reflect on the feedback', 'PEER_REVIEW'),
  INSTRUCTOR_REVIEW: review("The lecturer's review", 'SUBMISSION'),
  AI_REVIEW: review('Automatic review', 'SUBMISSION'),
  INSTRUCTOR_DISCUSSION: titled('Talk it over', ({ earlier }) => ({ source: { id: earlier('SUBMISSION') } })),
  CHECKLIST: ({ topic }) => ({
    name: `Before you go on: ${topic}`,
    properties: {
      questions: [
        { id: 'read', text: 'I have read everything' },
        { id: 'try', text: 'I have tried it once' },
      ],
    },
    work: () => ({ responses: ['read', 'try'].map((question) => ({ question, value: true })) }),
  }),
  DISCUSSION: titled('Forum', () => ({
    restrict_posts_to: 'everyone',
    completion_rules: { rules: [{ type: 'POST', count: 1 }] },
  })),
  FILE: titled('Handout', ({ topic, organization }) => ({
    file_url: `${urlOf('cdn', organization, 'files', topic)}.pdf`,
  })),
  GROUP_FORMATION: ({ topic }) => ({
    name: `Find your team: ${topic}`,
    properties: { min_members: 2, max_members: 4, restrict_group_creation_to: 'everyone' },
    groups: true,
  }),
  FORM: ({ topic }) => ({
    name: `Tell us how it went: ${topic}`,
    properties: { questions: [scale('Would you recommend it?')] },
    work: (draws) => ({ responses: [{ question: 'scale', value: draws.integer(4, 10) }] }),
  }),
  SCORE: ({ topic, earlier }) => ({
    name: `Score: ${topic}`,
    properties: { passing_score: 60, inputs: [{ id: 'quiz', element: earlier('QUIZ') }] },
    work: (draws) => {
      const score = draws.integer(30, 100)
      return { passed: score >= 60, score }
    },
  }),
  GROUP_PEER_REVIEW: review('Review another team', 'GROUP_SUBMISSION', { groups: true }),
  GROUP_FEEDBACK_REFLECTION: review('Reflect as a team', 'GROUP_PEER_REVIEW', { groups: true }),
}

/** `Fire and evacuation` as `https://videos.acme.test/fire-and-evacuation`. */
function urlOf(host: string, { slug }: Surroundings['organization'], ...names: string[]): string {
  const slugs = names.map((name) => name.toLowerCase().replace(/\W+/g, '-').replace(/-$/, ''))
  return `https://${host}.${slug}.test/${slugs.join('/')}`
}

const answers = [
  'We talk about it every Monday, and write down who does what.',
  'Mostly it means asking before doing, and saying so when something went wrong.',
  'I had not thought of it before; now I see it in every second email.',
  'Our team has a checklist for it, which nobody reads. I have made it shorter.',
]

const advice = [
  'Begin with the result, then say how you got there.',
  'A picture would help in the second part.',
  'Shorter sentences, and one example more.',
  'Nothing: it is clear, and it is complete.',
]
