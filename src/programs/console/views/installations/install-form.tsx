import { linkTo } from '../../address.js'
import type { App, InstallResult, Organization } from '../../api/shapes.js'
import { Copy } from '../../parts/copy.js'
import { Facts } from '../../parts/facts.js'
import { type Field, FormAction, given, type Values } from '../../parts/form-action.js'
import { State } from '../../parts/status.js'

const choose = (label: string) => ({ value: '', label })

/** The form of `POST /_admin/installations`. control-api: Installations */
export function InstallForm({ apps, organizations }: { apps: App[]; organizations: Organization[] }) {
  const fields = ({ app, organization }: Values): Field[] => {
    const versions = apps.find(({ id }) => id === app)?.versions ?? []
    const members = organizations.find(({ slug }) => slug === organization)?.members ?? []
    const installers = members.filter(({ role }) => role === 'owner' || role === 'admin')
    return [
      {
        name: 'app',
        label: 'App',
        required: true,
        options: [choose('Choose an app'), ...apps.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))],
      },
      {
        name: 'organization',
        label: 'Organization',
        required: true,
        options: [
          choose('Choose an organization'),
          ...organizations.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` })),
        ],
      },
      {
        name: 'version',
        label: 'Version',
        options: [
          choose('Newest'),
          ...versions.map(({ version }) => ({ value: version, label: version })).toReversed(),
        ],
      },
      {
        name: 'installer',
        label: 'Installer',
        options: [
          choose('First owner'),
          ...installers.map(({ email, role }) => ({ value: email, label: `${email} (${role})` })),
        ],
      },
      {
        name: 'announce',
        label: 'Webhook',
        options: [choose('Send app.installed, as the platform does'), { value: 'false', label: 'Do not send it' }],
      },
    ]
  }
  return (
    <FormAction
      label="Install"
      title="Install an app"
      fields={fields}
      call={({ app, organization, version, installer, announce }) => ({
        method: 'POST',
        path: '/_admin/installations',
        body: given({ app, organization, version, installer, ...(announce === 'false' && { announce: false }) }),
      })}
      result={(answer) => <Installed result={answer as InstallResult} />}
    />
  )
}

/** What an install or upgrade came to: where the browser would go, and how the webhook fared. */
export function Installed({ result }: { result: InstallResult }) {
  const { installation, delivery, redirect_url, credentials } = result
  const last = delivery?.attempts.at(-1)
  return (
    <>
      <p>
        <b>{installation.app}</b> {installation.version} is installed in <b>{installation.organization}</b>.{' '}
        <a href={linkTo('installations', installation.id)}>Show its tokens</a>
      </p>
      <Facts
        of={[
          [
            'Webhook',
            delivery ? (
              <a key="d" href={linkTo('deliveries', delivery.id)}>
                <State state={delivery.state} /> {last?.error}
              </a>
            ) : (
              'not sent'
            ),
          ],
          [
            'Redirect URL',
            redirect_url ? (
              <a
                key="r"
                href={/^https?:/.test(redirect_url) ? redirect_url : undefined}
                rel="noreferrer"
                target="_blank"
              >
                {redirect_url}
              </a>
            ) : (
              'none: the manifest has no post_install_action'
            ),
          ],
          ['Scopes', installation.scope],
          [
            'Credentials',
            credentials && <Copy key="c" text={() => JSON.stringify(credentials, null, 2)} label="Copy credentials" />,
          ],
        ]}
      />
    </>
  )
}
