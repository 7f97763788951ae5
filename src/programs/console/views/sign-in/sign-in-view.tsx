import { useSignal } from '@preact/signals'
import { address, linkTo } from '../../address.js'
import { base } from '../../api/call.js'
import { useList } from '../../api/resource.js'
import type { Session, SignedIn, User } from '../../api/shapes.js'
import { fromNow } from '../../emulator-time.js'
import { Action } from '../../parts/action.js'
import { ActionsHead } from '../../parts/actions-head.js'
import { Copy } from '../../parts/copy.js'
import { Empty, Waiting } from '../../parts/empty.js'
import { FormAction, given } from '../../parts/form-action.js'
import { SilentSignIn } from './silent-sign-in.js'

/** Who can sign in, who is, and how silent sign-in ends. console: Views, Sign-in */
export function SignInView() {
  const { items: users, ready, problem } = useList<User>('/_admin/users', ['users', 'memberships'])
  const { items: sessions } = useList<Session>('/_admin/sessions', ['sessions'])
  const ambient = sessions.find((session) => session.ambient)
  const signed = sessions.filter((session) => !session.ambient)
  const nameOf = (id: string) => users.find((user) => user.id === id)?.email ?? id
  return (
    <section class="single" aria-label="Sign-in">
      <div class="head">
        <h1>Sign-in</h1>
        <AddUser />
      </div>
      <h2>Ambient user</h2>
      <p class="soft">
        Requests without a session cookie count as signed in as this user, for clients that keep no cookies.{' '}
        {ambient ? (
          <>
            It is <b class="ink">{nameOf(ambient.user)}</b> now.
          </>
        ) : (
          'None is set.'
        )}
      </p>
      <div class="toolbar">
        <FormAction
          label="Set the ambient user"
          title="Set the ambient user"
          small
          quiet
          submit="Set"
          fields={() => [
            {
              name: 'user',
              label: 'User',
              required: true,
              options: [
                { value: '', label: 'Choose a user' },
                ...users.map(({ email, full_name }) => ({ value: email, label: `${full_name} (${email})` })),
              ],
            },
          ]}
          call={({ user }) => ({ method: 'PUT', path: '/_admin/sessions/ambient', body: given({ user }) })}
        />
        {ambient && (
          <Action
            label="Clear"
            what="Clear the ambient user"
            call={{ method: 'DELETE', path: '/_admin/sessions/ambient' }}
          />
        )}
      </div>
      <SilentSignIn users={users.map(({ email }) => email)} />
      <div class="head">
        <h2>Users</h2>
        {signed.length > 0 && (
          <Action
            label={`Sign everyone out (${sessions.length})`}
            call={{ method: 'DELETE', path: '/_admin/sessions' }}
            confirm={{
              title: 'Sign everyone out',
              loses: 'This ends every session and clears the ambient user.',
            }}
          />
        )}
      </div>
      {!ready && <Waiting problem={problem} />}
      {ready && users.length === 0 && (
        <Empty title="No users">Add one here, or start from a fixture document that has some.</Empty>
      )}
      {users.length > 0 && <UserTable users={users} sessions={signed} />}
    </section>
  )
}

function AddUser() {
  return (
    <FormAction
      label="Add a user"
      title="Add a user"
      submit="Add"
      fields={() => [
        { name: 'email', label: 'Email', required: true },
        { name: 'first_name', label: 'First name' },
        { name: 'last_name', label: 'Last name' },
        {
          name: 'email_verified',
          label: 'Email verified',
          options: [
            { value: '', label: 'No, as for a new user' },
            { value: 'true', label: 'Yes' },
          ],
        },
      ]}
      call={({ email_verified, ...fields }) => ({
        method: 'POST',
        path: '/_admin/users',
        body: given({ ...fields, ...(email_verified === 'true' && { email_verified: true }) }),
      })}
    />
  )
}

const DRAWN = 200

function UserTable({ users, sessions }: { users: User[]; sessions: Session[] }) {
  const text = useSignal('')
  const wanted = text.value.toLowerCase()
  const found = users.filter(({ email, full_name, id }) => `${email} ${full_name} ${id}`.toLowerCase().includes(wanted))
  return (
    <>
      <div class="filters">
        <input
          type="search"
          data-search
          aria-label="Search users"
          placeholder="Search users"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
          }}
        />
        <span class="soft num">
          {found.length} of {users.length}
          {found.length > DRAWN && `, the first ${DRAWN} shown`}
        </span>
      </div>
      <table>
        <caption class="visually-hidden">Users</caption>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col" class="c-app">
              Organizations
            </th>
            <th scope="col" class="c-org">
              Sessions
            </th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {found.slice(0, DRAWN).map((user) => (
            <UserRow key={user.id} user={user} sessions={sessions.filter((session) => session.user === user.id)} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function UserRow({ user, sessions }: { user: User; sessions: Session[] }) {
  const signedIn = useSignal<SignedIn | undefined>(undefined)
  const newest = sessions.at(-1)
  return (
    <tr class={address.value.id === user.id ? 'open' : ''}>
      <td class="c-what">
        <b>{user.full_name || user.email}</b> <span class="path">{user.email}</span>{' '}
        {!user.email_verified && <span class="tag warn">not verified</span>}
        {signedIn.value && <CookieNote signedIn={signedIn.value} />}
      </td>
      <td class="c-app">
        {user.organizations.map(({ slug, role }) => (
          <a key={slug} class="tag" href={linkTo('organizations', slug)}>
            {slug}: {role}
          </a>
        ))}
      </td>
      <td class="c-org">{newest && `${sessions.length}, ${fromNow(newest.created_at)}`}</td>
      <td class="c-actions">
        <Action
          label="Sign in as"
          what={`Sign in as ${user.full_name || user.email}`}
          call={{ method: 'POST', path: '/_admin/sessions', body: { user: user.id } }}
          onDone={(answer) => {
            signedIn.value = answer as SignedIn
          }}
        />
      </td>
    </tr>
  )
}

/** The session's cookie: set in this browser when no other session is in the way, and to copy for another client. */
function CookieNote({ signedIn: { cookie } }: { signedIn: SignedIn }) {
  const set = useSignal<boolean | undefined>(undefined)
  const pair = `${cookie.name}=${cookie.value}`
  return (
    <p class="note good" role="status">
      Signed in.{' '}
      <button
        type="button"
        class="small quiet"
        onClick={() => {
          // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is for https alone
          document.cookie = `${pair}; path=/; samesite=lax`
          set.value = document.cookie.split('; ').includes(pair)
        }}
      >
        Use in this browser
      </button>{' '}
      <Copy text={() => `Cookie: ${pair}`} label="Copy cookie" />
      {set.value && (
        <>
          {' '}
          <a href={base.href} target="_blank" rel="noreferrer">
            Open the web app
          </a>
        </>
      )}
      {set.value === false && (
        <>
          {' '}
          This browser already has a session. <a href={new URL('logout', base).href}>Sign out</a> first.
        </>
      )}
    </p>
  )
}
