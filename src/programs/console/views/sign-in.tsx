import { callOf } from '../api/call.js'
import { useList } from '../api/resource.js'
import { Action } from '../components/action.js'
import { FormAction } from '../components/form.js'
import { Head, SingleView } from '../components/list.js'
import { Users } from './users.js'

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
