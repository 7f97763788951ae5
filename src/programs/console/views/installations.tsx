import { commandLine, type Installation } from '../api/call.js'
import { dateTime } from '../api/clock.js'
import { useList } from '../api/resource.js'
import { queryValue, setQuery } from '../parts/address.js'
import { State } from '../parts/facts.js'
import { optionsOf, type Values } from '../parts/field.js'
import { FormAction, type FormFields } from '../parts/form.js'
import { type Column, Empty, ListView, RowLink } from '../parts/list.js'
import { InstallationDetail, Installed, versionOptions } from './installation-detail.js'

/** Installations of apps in organizations, with their tokens. console: Views, Installations */
export function InstallationsView() {
  const { items, ready, problem } = useList('listInstallations')
  const { items: apps, ready: appsReady } = useList('listApps')
  const { items: organizations } = useList('listOrganizations', {}, ['organizations', 'memberships'])
  const isAll = queryValue('all') === '1'
  const shown = items.filter(({ state }) => isAll || state === 'installed' || state === 'uninstalling').toReversed()
  const hasNoApps = appsReady && apps.length === 0

  /** The versions of the chosen app, and the people of the chosen organization who may install. */
  const fields = ({ app, organization }: Values): FormFields<'install'> => {
    const versions = apps.find(({ id }) => id === app)?.versions.map(({ version }) => version) ?? []
    const members = organizations.find(({ slug }) => slug === organization)?.members ?? []
    const installers = members.filter(({ role }) => role === 'owner' || role === 'admin')
    return {
      app: {},
      organization: {},
      version: { options: versionOptions(versions), hint: '' },
      installer: {
        options: [
          { value: '', label: 'First owner' },
          ...installers.map(({ email, role }) => ({ value: email, label: `${email} (${role})` })),
        ],
        hint: '',
      },
      announce: {
        label: 'Webhook',
        options: optionsOf({ '': 'Send app.installed, as the platform does', false: 'Do not send it' }),
        hint: '',
      },
    }
  }
  return (
    <ListView
      title="Installations"
      head={
        <FormAction
          label="Install"
          title="Install an app"
          primary
          call="install"
          fields={fields}
          result={(result) => <Installed result={result} />}
        />
      }
      filters={
        <div class="filters">
          <label class="inline">
            <input
              type="checkbox"
              checked={isAll}
              onChange={({ currentTarget }) => setQuery('all', currentTarget.checked ? '1' : '')}
            />{' '}
            Show ended installations
          </label>
          <span class="soft num">{shown.length} shown</span>
        </div>
      }
      noun="Installation"
      find={(id) => items.find((installation) => installation.id === id)}
      detail={(installation) => (
        <InstallationDetail
          key={installation.id}
          installation={installation}
          app={apps.find(({ id }) => id === installation.app)}
        />
      )}
      caption="Installations, newest first"
      columns={columns}
      items={shown}
      keyOf={({ id }) => id}
      state={{ ready, problem }}
      empty={
        <Empty
          title={hasNoApps ? 'No apps yet' : 'No installations yet'}
          command={commandLine(
            hasNoApps
              ? 'apps create manifest.json'
              : `install ${apps[0]?.id ?? 'notes'} ${organizations[0]?.slug ?? 'acme'}`,
          )}
        >
          An install gives the app its tokens and sends it the webhook <code>app.installed</code>.
        </Empty>
      }
    />
  )
}

const columns: Column<Installation>[] = [
  { head: 'State', cell: ({ state }) => <State state={state} /> },
  {
    head: 'App',
    class: 'c-what',
    cell: ({ id, app }) => (
      <RowLink id={id}>
        <b>{app}</b>
      </RowLink>
    ),
  },
  { head: 'Organization', cell: ({ organization }) => organization },
  { head: 'Version', cell: ({ version }) => version },
  { head: 'Scopes', class: 'c-app wrap', cell: ({ scope }) => scope },
  { head: 'Installed', class: 'c-org', cell: ({ installed_at }) => dateTime(installed_at) },
]
