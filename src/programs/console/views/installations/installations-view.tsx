import { address, goTo, linkTo, setQuery } from '../../address.js'
import { commandLine } from '../../api/call.js'
import { useList } from '../../api/resource.js'
import type { App, Installation, Organization } from '../../api/shapes.js'
import { dateTime } from '../../emulator-time.js'
import { Empty, Waiting } from '../../parts/empty.js'
import { Split } from '../../parts/split.js'
import { State } from '../../parts/status.js'
import { InstallForm } from './install-form.js'
import { InstallationDetail } from './installation-detail.js'

const isCurrent = ({ state }: Installation) => state === 'installed' || state === 'uninstalling'

/** Which app is installed where, and its tokens. console: Views, Installations */
export function InstallationsView() {
  const { items, ready, problem } = useList<Installation>('/_admin/installations', ['installations'])
  const { items: apps, ready: appsReady } = useList<App>('/_admin/apps', ['apps'])
  const { items: organizations } = useList<Organization>('/_admin/organizations', ['organizations', 'memberships'])
  const { id, query } = address.value
  const all = query.get('all') === '1'
  const shown = items.filter((installation) => all || isCurrent(installation)).toReversed()
  const open = items.find((installation) => installation.id === id)
  return (
    <Split
      title="Installations"
      head={<InstallForm apps={apps} organizations={organizations} />}
      list={
        <>
          <div class="filters">
            <label class="inline">
              <input
                type="checkbox"
                checked={all}
                onChange={({ currentTarget }) => setQuery('all', currentTarget.checked ? '1' : '')}
              />{' '}
              Show ended installations
            </label>
            <span class="soft num">{shown.length} shown</span>
          </div>
          {!ready && <Waiting problem={problem} />}
          {ready && shown.length === 0 && (
            <Empty
              title={appsReady && apps.length === 0 ? 'No apps yet' : 'No installations yet'}
              command={
                appsReady && apps.length === 0
                  ? commandLine('apps create manifest.json')
                  : commandLine(`install ${apps[0]?.id ?? 'notes'} ${organizations[0]?.slug ?? 'acme'}`)
              }
            >
              An install gives the app its tokens and sends it the webhook <code>app.installed</code>.
            </Empty>
          )}
          {shown.length > 0 && <InstallationTable installations={shown} open={id} />}
        </>
      }
      detail={
        id === undefined ? undefined : open ? (
          <InstallationDetail key={open.id} installation={open} app={apps.find((app) => app.id === open.app)} />
        ) : (
          ready && (
            <Empty title={`Installation ${id} not found`}>It may belong to a world that was reset or replaced.</Empty>
          )
        )
      }
      onClose={() => goTo(linkTo('installations', undefined, query))}
    />
  )
}

function InstallationTable({ installations, open }: { installations: Installation[]; open: string | undefined }) {
  return (
    <table>
      <caption class="visually-hidden">Installations, newest first</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">App</th>
          <th scope="col">Organization</th>
          <th scope="col">Version</th>
          <th scope="col" class="c-app">
            Scopes
          </th>
          <th scope="col" class="c-org">
            Installed
          </th>
        </tr>
      </thead>
      <tbody>
        {installations.map((installation) => (
          <tr key={installation.id} class={installation.id === open ? 'open' : ''}>
            <td>
              <State state={installation.state} />
            </td>
            <td class="c-what">
              <a
                data-row
                href={linkTo('installations', installation.id, address.value.query)}
                aria-current={installation.id === open ? 'true' : undefined}
              >
                <b>{installation.app}</b>
              </a>
            </td>
            <td>{installation.organization}</td>
            <td>{installation.version}</td>
            <td class="c-app wrap">{installation.scope}</td>
            <td class="c-org">{dateTime(installation.installed_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
