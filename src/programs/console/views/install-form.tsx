import { commandLine, createCommand, type InstallResult } from '../api/call.js'
import { useList } from '../api/resource.js'
import { linkTo } from '../components/address.js'
import { Copy } from '../components/button.js'
import { Facts, recordLink, State } from '../components/facts.js'
import type { Option, Values } from '../components/field.js'
import { FormAction, type FormFields } from '../components/form.js'
import { Empty } from '../components/list.js'

/** Versions as options, newest first. */
export const versionOptions = (versions: string[]): Option[] => [['', 'Newest'], ...versions.toReversed()]

/** Says that a list of what installs make is empty, with a command that can run in this world. */
export function NoInstalls({ title }: { title: string }) {
  const [app] = useList('listApps').items
  const installations = useList('listInstallations').items
  const organization = useList('listOrganizations').items.find(
    // A run report has no members.
    ({ slug, members = [] }) =>
      members.some(({ role }) => role === 'owner') && !installations.some((each) => each.organization === slug),
  )
  // A sandbox has an owner, and the app is installed in it.
  const command = organization ? `install ${app?.id} ${organization.slug}` : `sandboxes create --app ${app?.id}`
  return (
    <Empty title={title} command={app ? commandLine(command) : createCommand}>
      An install gives the app its tokens and sends it the webhook <code>app.installed</code>.
    </Empty>
  )
}

function useInstallFields({ app, organization }: Values): FormFields<'install'> {
  const { items: apps } = useList('listApps')
  const { items: organizations } = useList('listOrganizations')
  const versions = apps.find(({ id }) => id === app)?.versions.map(({ version }) => version) ?? []
  const members = organizations.find(({ slug }) => slug === organization)?.members ?? []
  const installers = members.filter(({ role }) => role === 'owner' || role === 'admin')
  return {
    app: {},
    organization: {},
    version: { options: versionOptions(versions), hint: '' },
    installer: {
      options: [['', 'First owner'], ...installers.map(({ email, role }): Option => [email, `${email} (${role})`])],
      hint: '',
    },
    announce: {},
  }
}

/** The form that installs an app. @param app the one that it begins with. */
export function InstallForm({ app }: { app?: string }) {
  return (
    <FormAction
      label="Install"
      title="Install an app"
      primary={!app}
      call="install"
      fields={useInstallFields}
      initial={app ? { app } : {}}
      result={(result) => <Installed result={result} />}
    />
  )
}

/** The result of an install or upgrade: the URL that the browser is redirected to, and the response to the webhook. */
export function Installed({ result }: { result: InstallResult }) {
  const { installation, delivery, redirect_url, credentials } = result
  const isWebLink = redirect_url !== null && /^https?:/.test(redirect_url)
  return (
    <>
      <p>
        <b>{installation.app}</b> {installation.version} is installed in <b>{installation.organization}</b>.{' '}
        {recordLink('installations', installation.id, 'Show its tokens')}
      </p>
      <Facts
        of={{
          Webhook: delivery ? (
            <a href={linkTo('deliveries', delivery.id)}>
              <State state={delivery.state} /> {delivery.attempts.at(-1)?.error}
            </a>
          ) : (
            'not sent'
          ),
          'Redirect URL': redirect_url ? (
            <a href={isWebLink ? redirect_url : undefined} rel="noreferrer" target="_blank">
              {redirect_url}
            </a>
          ) : (
            'none: the manifest has no post_install_action'
          ),
          Scopes: installation.scope,
          Credentials: credentials && (
            <Copy text={() => JSON.stringify(credentials, null, 2)} label="Copy credentials" />
          ),
        }}
      />
    </>
  )
}
