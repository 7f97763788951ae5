import type { Installation } from '../api/call.js'
import { dateTime } from '../api/clock.js'
import { useList } from '../api/resource.js'
import { queryValue, setQuery } from '../parts/address.js'
import { State } from '../parts/facts.js'
import { type Column, column, ListView, RowLink } from '../parts/list.js'
import { InstallForm, NoInstalls } from './install-form.js'
import { InstallationDetail } from './installation-detail.js'

/** Installations of apps in organizations, with their tokens. console: Views, Installations */
export function InstallationsView() {
  const installations = useList('listInstallations')
  const { items: apps } = useList('listApps')
  const isAll = queryValue('all') === '1'
  const shown = installations.items
    .filter(({ state }) => isAll || state === 'installed' || state === 'uninstalling')
    .toReversed()
  return (
    <ListView
      title="Installations"
      head={<InstallForm />}
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
          <span class="soft">{shown.length} shown</span>
        </div>
      }
      noun="Installation"
      find={(id) => installations.items.find((installation) => installation.id === id)}
      detail={(installation) => (
        <InstallationDetail
          key={installation.id}
          installation={installation}
          app={apps.find(({ id }) => id === installation.app)}
        />
      )}
      caption="Installations, newest first"
      columns={columns}
      {...installations}
      items={shown}
      empty={<NoInstalls title="No installations yet" />}
    />
  )
}

const columns: Column<Installation>[] = [
  column('State', '', ({ state }) => <State state={state} />),
  column('App', 'c-what wrap', ({ id, app }) => (
    <RowLink id={id}>
      <b>{app}</b>
    </RowLink>
  )),
  column('Organization', 'wrap', ({ organization }) => organization),
  column('Version', 'c-count', ({ version }) => version),
  column('Scopes', 'c-app', ({ scope }) => scope),
  column('Installed', 'c-org nowrap', ({ installed_at }) => dateTime(installed_at)),
]
