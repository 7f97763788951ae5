import { useResource } from '../../api/resource.js'
import type { World } from '../../api/shapes.js'
import { spanOf } from '../../emulator-time.js'
import { Action } from '../../parts/action.js'
import { Waiting } from '../../parts/empty.js'
import { Facts } from '../../parts/facts.js'
import { Snapshots } from './snapshots.js'
import { Export, Import } from './world-document.js'

/** Settings in force, snapshots, and going back. console: Views, World */
export function WorldView() {
  const { data, problem } = useResource<World>('/_admin', ['fixture_settings'])
  const world = data.value
  return (
    <section class="single" aria-label="World">
      <div class="head">
        <h1>World</h1>
        <Action
          label="Reset"
          call={{ method: 'POST', path: '/_admin/reset' }}
          confirm={{
            title: 'Reset the world',
            loses:
              'This returns the world to what was loaded at start, including installations, tokens, sessions, faults and the clock. It also clears the journal and the inboxes. Snapshots stay.',
          }}
        />
      </div>
      {!world && <Waiting problem={problem.value} />}
      {world && <Addresses world={world} />}
      <Snapshots />
      <h2>Export and import</h2>
      <p class="soft">The whole world as a fixture document, including its secrets.</p>
      <div class="toolbar">
        <Export />
        <Import />
      </div>
      {world && <Settings world={world} />}
    </section>
  )
}

function Addresses({ world }: { world: World }) {
  return (
    <Facts
      of={[
        ['Public API', <code key="a">{world.base_url}/v0</code>],
        [
          'OAuth, web app',
          <a key="b" href={world.browser_url}>
            {world.app_url}
          </a>,
        ],
        ['Version', world.version],
        ['World', `${world.world}, ${world.store === 'memory' ? 'in memory' : world.store}`],
        [
          'Other worlds',
          world.worlds.length > 1 &&
            world.worlds.map(({ index, url }) => (
              <a key={url} class="tag" href={`${url}/_console`}>
                {index}: {url}
              </a>
            )),
        ],
      ]}
    />
  )
}

const valueText = (value: unknown) =>
  value === undefined || value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)

const sources = {
  given: 'a flag, option or variable',
  fixture: 'a fixture',
  default: <span class="soft">default</span>,
}

/** Names of settings whose numbers are milliseconds. */
const isDuration = /_(ttl|window|timeout)$/

function Settings({ world }: { world: World }) {
  return (
    <>
      <h2>Settings in force</h2>
      <table>
        <caption class="visually-hidden">Settings in force</caption>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Value</th>
            <th scope="col">Set by</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(world.settings).map(([name, value]) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td class="c-what">
                <code>{valueText(value)}</code>{' '}
                {typeof value === 'number' && isDuration.test(name) && <span class="soft">{spanOf(value)}</span>}
              </td>
              <td>{sources[world.setting_sources[name] ?? 'default']}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
