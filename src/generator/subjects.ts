/** What courses are about, and what the modules of each go through. */
export const subjects: readonly { name: string; topics: readonly string[] }[] = [
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

/** What tells the courses of a subject apart. */
export const levels = ['', 'Foundations', 'In Practice', 'Advanced', 'Refresher', 'for Trainers'] as const
