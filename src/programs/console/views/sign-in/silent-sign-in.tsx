import { useList } from '../../api/resource.js'
import type { App, Organization, SilentAuth } from '../../api/shapes.js'
import { Action } from '../../parts/action.js'
import { FormAction, given } from '../../parts/form-action.js'

const outcomes: Record<SilentAuth['outcome'], string> = {
  login_required: 'nobody is signed in',
  interaction_required: 'the user must interact',
  consent_required: 'the user must consent',
  invalid_scope: 'a scope is not allowed',
  server_error: 'the platform failed',
  temporarily_unavailable: 'the platform is busy',
}
const path = '/_admin/silent-auth'

/** How `prompt=none` requests are forced to end. control-api: Sign-in and silent authentication */
export function SilentSignIn({ users }: { users: string[] }) {
  const { items: forced } = useList<SilentAuth>(path, ['silent_auth'])
  const { items: apps } = useList<App>('/_admin/apps', ['apps'])
  const { items: organizations } = useList<Organization>('/_admin/organizations', ['organizations'])
  return (
    <>
      <h2>Silent sign-in</h2>
      {forced.length === 0 ? (
        <p class="soft">
          Requests with <code>prompt=none</code> follow the normal rules. No outcome is forced.
        </p>
      ) : (
        <ul class="plain">
          {forced.map(({ id, outcome, app, organization, user, times }) => (
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
          small
          quiet
          submit="Force"
          initial={{ outcome: 'login_required' }}
          fields={() => [
            {
              name: 'outcome',
              label: 'Outcome',
              required: true,
              options: Object.entries(outcomes).map(([value, means]) => ({ value, label: `${value}: ${means}` })),
            },
            { name: 'app', label: 'App', suggestions: apps.map(({ id }) => id) },
            { name: 'organization', label: 'Organization', suggestions: organizations.map(({ slug }) => slug) },
            { name: 'user', label: 'User', suggestions: users },
            { name: 'times', label: 'Times', kind: 'number', hint: 'Empty: every request.' },
          ]}
          call={({ times, ...fields }) => ({
            method: 'PUT',
            path,
            body: given({ ...fields, times: times ? Number(times) : undefined }),
          })}
        />
        {forced.length > 0 && <Action label="Clear" call={{ method: 'DELETE', path }} />}
      </div>
    </>
  )
}
