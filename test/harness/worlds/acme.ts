import type { FixtureDocument } from 'mockademy'

/** Two organizations, three users, one hybrid app that is installed in the first. */
export const acme: FixtureDocument = {
  users: [
    { id: 'ada', email: 'ada@acme.test', first_name: 'Ada', last_name: 'Owner', email_verified: true },
    { id: 'bob', email: 'bob@acme.test', first_name: 'Bob', last_name: 'Learner' },
    { id: 'zoe', email: 'zoe@zenith.test', first_name: 'Zoe', last_name: 'Owner', email_verified: true },
  ],
  organizations: [
    {
      slug: 'acme',
      name: 'Acme Corp',
      api_key: 'key_acme',
      members: [
        { user: 'ada', role: 'owner' },
        { user: 'bob', role: 'learner' },
      ],
      courses: [
        {
          id: 'course1',
          name: 'Safety',
          members: ['ada', 'bob'],
          modules: [
            {
              id: 'module1',
              name: 'Week 1',
              elements: [
                {
                  id: 'essay',
                  type: 'SUBMISSION',
                  name: 'Essay',
                  properties: { questions: [{ id: 'q1', text: 'Why?' }] },
                  activities: [
                    {
                      id: 'act1',
                      member: 'bob',
                      passed: true,
                      score: 90,
                      responses: [{ question: 'q1', value: 'Because.' }],
                    },
                    { id: 'act2', members: ['ada', 'bob'], status: 'submitted' },
                  ],
                },
                { id: 'review', type: 'PEER_REVIEW', name: 'Review', properties: { source: { id: 'essay' } } },
                { id: 'page', type: 'CONTENT', name: 'Reading', content: '# Read this' },
              ],
            },
            { id: 'module2', name: 'Week 2' },
          ],
        },
        { id: 'course2', name: 'Fire', modules: [{ id: 'module3', name: 'Drill' }] },
      ],
    },
    {
      slug: 'zenith',
      name: 'Zenith',
      api_key: 'key_zenith',
      members: [{ user: 'zoe', role: 'owner' }],
      courses: [
        {
          id: 'zcourse',
          name: 'Stars',
          modules: [{ id: 'zmodule', name: 'Sky', elements: [{ id: 'zpage', type: 'CONTENT', name: 'Sky' }] }],
        },
      ],
    },
  ],
  apps: [
    {
      client_id: 'app_notes',
      client_secret: 'notes_secret',
      signing_secret: 'notes_signing',
      manifest: {
        id: 'notes',
        name: 'Notes',
        version: '1.0.0',
        permissions: ['elements:read', 'openid', 'profile', 'email'],
        oauth: { install: true, authorize: { redirect_uris: ['http://localhost:3000/callback'] } },
        webhook: { url: 'http://localhost:3000/webhook' },
        post_install_action: { url: 'http://localhost:3000/setup' },
      },
    },
  ],
  installations: [
    { app: 'notes', organization: 'acme', credentials: { access_token: 'at_acme', refresh_token: 'rt_acme' } },
  ],
}
