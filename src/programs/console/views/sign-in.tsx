import { useSignal } from '@preact/signals'
import { pluralize } from '../../reports/pluralize.js'
import { base, callOf, commandLine, type SignedIn, type User } from '../api/call.js'
import { fromNow } from '../api/clock.js'
import { useList } from '../api/resource.js'
import { Action } from '../components/action.js'
import { linkTo } from '../components/address.js'
import { Button, Copy } from '../components/button.js'
import { searchIn } from '../components/filters.js'
import { FormAction } from '../components/form.js'
import { actions, type Column, column, Empty, Head, List, SingleView } from '../components/list.js'

/** Users and their sessions, and the results of silent sign-in. console: Views, Sign-in */
export function SignInView() {
  return (
    <SingleView
      title="Sign-in"
      head={
        <FormAction
          label="Add a user"
          primary
          call="createUser"
          fields={{ email: {}, first_name: {}, last_name: {}, email_verified: {} }}
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

const nameOf = ({ full_name, email }: User) => full_name || email

/** Users with their organizations and sessions. */
function Users() {
  const users = useList('listUsers')
  const sessions = useList('listSessions').items.filter(({ ambient }) => !ambient)
  const signedIn = useSignal<Record<string, SignedIn>>({})
  const { found, field, empty } = searchIn('users', users.items, (user) => `${user.email} ${user.full_name} ${user.id}`)
  /** `2 sessions, the newest 3 min ago` */
  const sessionsOf = ({ id, organizations: [sole, other] }: User) => {
    const own = sessions.filter(({ user }) => user === id)
    const newest = own.at(-1)
    return (
      newest &&
      `${pluralize(own.length, 'session')}, the newest ${fromNow(newest.created_at, other ? undefined : sole?.slug)}`
    )
  }
  const columns: Column<User>[] = [
    column('User', 'c-what', (user) => (
      <>
        <b>{nameOf(user)}</b> <span class="path">{user.email}</span>{' '}
        {!user.email_verified && <span class="tag warn">not verified</span>}
        {sessionsOf(user) && <CookieNote signedIn={signedIn.value[user.id]} />}
      </>
    )),
    column('Organizations', 'c-app', ({ organizations }) =>
      organizations.map(({ slug, role }) => (
        <a key={slug} class="tag" href={linkTo('organizations', slug)}>
          {slug}: {role}
        </a>
      )),
    ),
    column('Sessions', 'c-org', sessionsOf),
    actions((user) => (
      <>
        <Action
          label="Sign in as"
          what={`Sign in as ${nameOf(user)}`}
          call={callOf('signIn', { body: { user: user.id } })}
          onDone={(result) => {
            signedIn.value = { ...signedIn.value, [user.id]: result }
          }}
        />
        <FormAction
          label="Change"
          what={`Change ${nameOf(user)}`}
          submit="Save"
          call="updateUser"
          params={{ user: user.id }}
          initial={{ email: user.email, first_name: user.first_name, last_name: user.last_name }}
        />
        <Action
          label="Delete"
          what={`Delete ${nameOf(user)}`}
          call={callOf('deleteUser', { params: { user: user.id } })}
          loses={`This deletes ${user.email} and ends their sessions. Members of an organization cannot be deleted.`}
        />
      </>
    )),
  ]
  return (
    <>
      <Head title="Users">
        {sessions.length > 0 && (
          <Action
            label="Sign everyone out"
            call={callOf('endSessions')}
            loses="This ends every session and clears the ambient user."
          />
        )}
      </Head>
      {field}
      <List
        caption="Users"
        class="stack"
        columns={columns}
        {...users}
        items={found}
        empty={
          users.items.length === 0 ? (
            <Empty title="No users" command={commandLine('users create ada@example.test')}>
              Add one here or in a terminal:
            </Empty>
          ) : (
            empty
          )
        }
      />
    </>
  )
}

/** The session's cookie: set in this browser unless it has a session, and to copy for another client. */
function CookieNote({ signedIn }: { signedIn: SignedIn | undefined }) {
  const isSet = useSignal<boolean | undefined>(undefined)
  if (!signedIn) return null
  const { cookie } = signedIn
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

function AmbientUser() {
  const { items: users } = useList('listUsers')
  const { items: sessions, ready } = useList('listSessions')
  const ambient = sessions.find((session) => session.ambient)
  const user = users.find(({ id }) => id === ambient?.user)
  return (
    <>
      <Head title="Ambient user">
        <FormAction label="Set the ambient user" call="setAmbientUser" fields={{ user: { hint: '' } }} />
        {ambient && <Action label="Clear" what="Clear the ambient user" call={callOf('clearAmbientUser')} />}
      </Head>
      <p class="soft">
        Requests without a session cookie count as this user’s.{' '}
        {ambient ? (
          <>
            It is <b>{user?.email ?? ambient.user}</b> now.
          </>
        ) : (
          ready && 'None is set.'
        )}
      </p>
    </>
  )
}

/** The forced results of `prompt=none` requests. control-api: Sign-in and silent authentication */
function SilentSignIn() {
  const { items, ready } = useList('listSilentAuth')
  return (
    <>
      <Head title="Silent sign-in">
        <FormAction
          label="Force an outcome"
          title="Force the outcome of silent sign-in"
          call="setSilentAuth"
          initial={{ outcome: 'login_required' }}
        />
        {items.length > 0 && <Action label="Clear" what="Clear the forced outcomes" call={callOf('clearSilentAuth')} />}
      </Head>
      {items.length === 0 && (
        <p class="soft">
          Requests with <code>prompt=none</code> follow the normal rules{ready && ': no outcome is forced'}.
        </p>
      )}
      <ul class="plain">
        {items.map(({ id, outcome, app, organization, user, times }) => (
          <li key={id}>
            <code>{outcome}</code> {[app, organization, user].filter(Boolean).join(', ') || 'every request'}{' '}
            <span class="tag warn">{times === null ? 'every time' : `${times} more`}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const SigningKey = () => (
  <Head title="Signing key">
    <FormAction
      label="Rotate"
      title="Rotate the signing key"
      call="rotateKeys"
      result={({ kid, retired }) => (
        <p>
          The new key is <code>{kid}</code>. {retired.length > 0 && `No longer in the JWKS: ${retired.join(', ')}.`}
        </p>
      )}
    />
  </Head>
)
