import { useSignal } from '@preact/signals'
import { base, callOf, type Session, type SignedIn, type SilentAuth, type User } from '../api/call.js'
import { fromNow } from '../api/clock.js'
import { useList } from '../api/resource.js'
import { Action } from '../parts/action.js'
import { linkTo } from '../parts/address.js'
import { Button, Copy, textOf } from '../parts/button.js'
import { optionsOf } from '../parts/field.js'
import { FormAction } from '../parts/form.js'
import { actions, Empty, List, SingleView } from '../parts/list.js'

/** Users and their sessions, and the results of silent sign-in. console: Views, Sign-in */
export function SignInView() {
  return (
    <SingleView
      title="Sign-in"
      head={
        <FormAction
          label="Add a user"
          submit="Add"
          primary
          call="createUser"
          fields={{
            email: {},
            first_name: {},
            last_name: {},
            email_verified: { options: optionsOf({ '': 'No, as for a new user', true: 'Yes' }) },
          }}
        />
      }
    >
      <AmbientUser />
      <SilentSignIn />
      <SigningKey />
      <Users />
    </SingleView>
  )
}

function AmbientUser() {
  const { items: users } = useList('listUsers')
  const { items: sessions, ready } = useList('listSessions')
  const ambient = sessions.find((session) => session.ambient)
  const user = users.find(({ id }) => id === ambient?.user)
  return (
    <>
      <h2>Ambient user</h2>
      <p class="soft">
        Requests without a session cookie count as signed in as this user, for clients that keep no cookies.{' '}
        {ambient ? (
          <>
            It is <b class="ink">{user?.email ?? ambient.user}</b> now.
          </>
        ) : (
          ready && 'None is set.'
        )}
      </p>
      <div class="toolbar">
        <FormAction label="Set the ambient user" submit="Set" call="setAmbientUser" fields={{ user: { hint: '' } }} />
        {ambient && <Action label="Clear" what="Clear the ambient user" call={callOf('clearAmbientUser')} />}
      </div>
    </>
  )
}

const outcomes: Record<SilentAuth['outcome'], string> = {
  login_required: 'no user is signed in',
  interaction_required: 'the user must interact',
  consent_required: 'the user must consent',
  invalid_scope: 'a scope is not allowed',
  server_error: 'the platform failed',
  temporarily_unavailable: 'the platform is busy',
}
const outcomeOptions = Object.entries(outcomes).map(([value, means]) => ({ value, label: `${value}: ${means}` }))

/** The forced results of `prompt=none` requests. control-api: Sign-in and silent authentication */
function SilentSignIn() {
  const { items, ready } = useList('listSilentAuth')
  return (
    <>
      <h2>Silent sign-in</h2>
      {items.length === 0 ? (
        <p class="soft">
          Requests with <code>prompt=none</code> follow the normal rules{ready && ': no outcome is forced'}.
        </p>
      ) : (
        <ul class="plain">
          {items.map(({ id, outcome, app, organization, user, times }) => (
            <li key={id}>
              <code>{outcome}</code> {[app, organization, user].filter(Boolean).join(', ') || 'every request'}{' '}
              <span class="tag warn">{times === null ? 'every time' : `${times} more`}</span>
            </li>
          ))}
        </ul>
      )}
      <div class="toolbar">
        <FormAction
          label="Force an outcome"
          title="Force the outcome of silent sign-in"
          submit="Force"
          call="setSilentAuth"
          initial={{ outcome: 'login_required' }}
          fields={{ outcome: { options: outcomeOptions }, app: {}, organization: {}, user: {}, times: {} }}
        />
        {items.length > 0 && <Action label="Clear" call={callOf('clearSilentAuth')} />}
      </div>
    </>
  )
}

function SigningKey() {
  return (
    <>
      <div class="head">
        <h2>Signing key</h2>
        <FormAction
          label="Rotate"
          title="Rotate the signing key"
          submit="Rotate"
          call="rotateKeys"
          result={({ kid, retired }) => (
            <p>
              The new key is <code>{kid}</code>. {retired.length > 0 && `No longer in the JWKS: ${retired.join(', ')}.`}
            </p>
          )}
        />
      </div>
      <p class="soft">Apps verify an id_token with the key of the JWKS whose id it names.</p>
    </>
  )
}

function Users() {
  const { items: users, ready, problem } = useList('listUsers')
  const { items: sessions } = useList('listSessions')
  const text = useSignal('')
  const signedIn = useSignal<Record<string, SignedIn>>({})
  const wanted = text.value.toLowerCase()
  const found = users.filter(({ email, full_name, id }) => `${email} ${full_name} ${id}`.toLowerCase().includes(wanted))
  const sessionsOf = ({ id }: User) => sessions.filter(({ user, ambient }) => user === id && !ambient)
  return (
    <>
      <div class="head">
        <h2>Users</h2>
        {sessions.some(({ ambient }) => !ambient) && (
          <Action
            label={`Sign everyone out (${sessions.length})`}
            call={callOf('endSessions')}
            loses="This ends every session and clears the ambient user."
          />
        )}
      </div>
      {users.length > 0 && (
        <div class="filters">
          <input type="search" data-search aria-label="Search users" placeholder="Search users" {...textOf(text)} />
          <span class="soft num">
            {found.length} of {users.length}
          </span>
        </div>
      )}
      <List
        caption="Users"
        columns={[
          {
            head: 'User',
            class: 'c-what',
            cell: (user) => <UserSummary user={user} signedIn={signedIn.value[user.id]} />,
          },
          {
            head: 'Organizations',
            class: 'c-app',
            cell: ({ organizations }) =>
              organizations.map(({ slug, role }) => (
                <a key={slug} class="tag" href={linkTo('organizations', slug)}>
                  {slug}: {role}
                </a>
              )),
          },
          { head: 'Sessions', class: 'c-org', cell: (user) => describeSessions(sessionsOf(user)) },
          {
            ...actions,
            cell: ({ id, email, full_name, first_name, last_name }) => (
              <>
                <Action
                  label="Sign in as"
                  what={`Sign in as ${full_name || email}`}
                  call={callOf('signIn', { body: { user: id } })}
                  onDone={(result) => {
                    signedIn.value = { ...signedIn.value, [id]: result }
                  }}
                />
                <FormAction
                  label="Change"
                  what={`Change ${full_name || email}`}
                  title={`Change ${full_name || email}`}
                  submit="Save"
                  call="updateUser"
                  params={{ user: id }}
                  initial={{ email, first_name, last_name }}
                />
                <Action
                  label="Delete"
                  what={`Delete ${full_name || email}`}
                  call={callOf('deleteUser', { params: { user: id } })}
                  loses={`This deletes ${email}, with their memberships and sessions and the tokens that they granted.`}
                />
              </>
            ),
          },
        ]}
        items={found}
        keyOf={({ id }) => id}
        state={{ ready, problem }}
        empty={
          wanted === '' && <Empty title="No users">Add one here, or start from a fixture document that has some.</Empty>
        }
      />
    </>
  )
}

function describeSessions(sessions: Session[]): string {
  const newest = sessions.at(-1)
  return newest ? `${sessions.length}, ${fromNow(newest.created_at)}` : ''
}

function UserSummary({ user, signedIn }: { user: User; signedIn: SignedIn | undefined }) {
  return (
    <>
      <b>{user.full_name || user.email}</b> <span class="path">{user.email}</span>{' '}
      {!user.email_verified && <span class="tag warn">not verified</span>}
      {signedIn && <CookieNote signedIn={signedIn} />}
    </>
  )
}

/** The session's cookie: set in this browser unless it has a session, and to copy for another client. */
function CookieNote({ signedIn: { cookie } }: { signedIn: SignedIn }) {
  const isSet = useSignal<boolean | undefined>(undefined)
  const pair = `${cookie.name}=${cookie.value}`
  const setCookie = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is for https alone
    document.cookie = `${pair}; path=/; samesite=lax`
    isSet.value = document.cookie.split('; ').includes(pair)
  }
  return (
    <p class="note good" role="status">
      Signed in. <Button onClick={setCookie}>Use in this browser</Button>{' '}
      <Copy text={() => `Cookie: ${pair}`} label="Copy cookie" />{' '}
      {isSet.value && (
        <a href={base.href} target="_blank" rel="noreferrer">
          Open the web app
        </a>
      )}
      {isSet.value === false && (
        <>
          This browser already has a session. <a href={new URL('logout', base).href}>Sign out</a> first.
        </>
      )}
    </p>
  )
}
