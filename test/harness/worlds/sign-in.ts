import type { FixtureDocument } from 'mockademy'
import { acme } from './acme.js'

const member = (user: string, role: 'owner' | 'admin' | 'learner') => ({ user, role })

/**
 * The world of `acme` with what sign-in needs: a second organization of Ada's, a user without any, an app in two
 * versions, one with several callbacks, one that nobody can sign in to, and one that is installed twice.
 */
export const signInWorld: FixtureDocument = {
  ...acme,
  users: [
    ...(acme.users ?? []),
    { id: 'nia', email: 'nia@nowhere.test', first_name: 'Nia', last_name: 'Nobody' },
    { id: 'max', email: 'max@zenith.test', first_name: 'Max', last_name: 'Learner' },
  ],
  organizations: [
    ...(acme.organizations ?? []).map((organization) =>
      organization.slug === 'zenith'
        ? { ...organization, members: [...(organization.members ?? []), member('max', 'learner')] }
        : organization,
    ),
    { slug: 'globex', name: 'Globex', members: [member('ada', 'admin'), member('bob', 'learner')] },
  ],
  apps: [
    ...(acme.apps ?? []),
    {
      client_id: 'app_duo',
      client_secret: 'duo_secret',
      versions: [
        {
          id: 'duo',
          name: 'Duo',
          version: '1.0.0',
          permissions: ['openid', 'elements:read'],
          oauth: { authorize: { redirect_uris: ['https://duo.test/cb'] } },
        },
        {
          id: 'duo',
          name: 'Duo',
          version: '2.0.0',
          permissions: ['openid', 'email'],
          oauth: { authorize: { redirect_uris: ['https://duo.test/cb', 'https://duo.test/cb2?keep=1&x=%20'] } },
        },
      ],
    },
    {
      client_id: 'app_twice',
      client_secret: 'twice_secret',
      manifest: {
        id: 'twice',
        name: 'Twice',
        version: '1.0.0',
        permissions: ['openid', 'profile'],
        oauth: { authorize: { redirect_uris: ['http://127.0.0.1:3000/cb', 'http://[::1]:3000/cb'] } },
        post_install_action: { url: 'http://127.0.0.1:3000/setup?from=install' },
      },
    },
    {
      client_id: 'app_sync',
      client_secret: 'sync_secret',
      manifest: {
        id: 'sync',
        name: 'Sync',
        version: '1.0.0',
        permissions: ['elements:read', 'courses:read'],
        oauth: { install: true },
        webhook: { url: 'http://localhost:3000/webhook' },
      },
    },
  ],
  installations: [
    ...(acme.installations ?? []),
    { app: 'duo', organization: 'acme', version: '1.0.0' },
    { id: 'twice_globex', app: 'twice', organization: 'globex' },
    { id: 'twice_acme', app: 'twice', organization: 'acme' },
    { app: 'sync', organization: 'acme', credentials: { access_token: 'at_sync', refresh_token: 'rt_sync' } },
  ],
}
