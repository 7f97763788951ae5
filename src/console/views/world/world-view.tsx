import { useSignal } from '@preact/signals'
import { Problem, sendCall } from '../../api/call.js'
import { useList, useResource } from '../../api/resource.js'
import type { Snapshot, World, WorldDocument } from '../../api/shapes.js'
import { spanOf } from '../../emulator-time.js'
import { Action, ProblemNote } from '../../parts/action.js'
import { shownCall } from '../../parts/control-call.js'
import { Waiting } from '../../parts/empty.js'
import { Facts, Moment } from '../../parts/facts.js'
import { FormAction, given } from '../../parts/form-action.js'

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
              'Everything goes back to what was loaded at start: installations, tokens, sessions, faults, the clock. The journal and the inboxes are emptied. Snapshots stay.',
          }}
        />
      </div>
      {!world && <Waiting problem={problem.value} />}
      {world && <Addresses world={world} />}
      <Snapshots />
      <h2>Take along</h2>
      <p class="soft">The whole world as a fixture document, with its secrets.</p>
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

function Snapshots() {
  const { items, reload } = useSnapshots()
  return (
    <>
      <div class="head">
        <h2>Snapshots</h2>
        <FormAction
          label="Take a snapshot"
          title="Take a snapshot"
          small
          quiet
          submit="Take"
          fields={() => [{ name: 'name', label: 'Name', required: true }]}
          call={({ name }) => ({ method: 'POST', path: '/_admin/snapshots', body: given({ name }) })}
          onDone={reload}
        />
      </div>
      {items.length === 0 && <p class="soft">None. A snapshot names the present state, to go back to at any time.</p>}
      {items.length > 0 && (
        <table>
          <caption class="visually-hidden">Snapshots, oldest first</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="c-app">
                Taken
              </th>
              <th scope="col" class="num">
                Changes since
              </th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ name, created_at, changes }) => (
              <tr key={name}>
                <td class="c-what">
                  <b>{name}</b>
                </td>
                <td class="c-app">
                  <Moment at={created_at} />
                </td>
                <td class="num">{changes}</td>
                <td class="c-actions">
                  <Action
                    label="Restore"
                    what={`Restore ${name}`}
                    call={{ method: 'POST', path: `/_admin/snapshots/${encodeURIComponent(name)}/restore` }}
                    confirm={{
                      title: 'Restore the snapshot',
                      loses: `The world becomes what it was at “${name}”; ${changes} records differ now. Attempts in flight are dropped.`,
                    }}
                  />
                  <Action
                    label="Forget"
                    what={`Forget ${name}`}
                    call={{ method: 'DELETE', path: `/_admin/snapshots/${encodeURIComponent(name)}` }}
                    onDone={reload}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** Snapshots are no records, but every change of one changes how far they are from now. */
function useSnapshots() {
  const { items } = useList<Snapshot>('/_admin/snapshots', anything)
  const { reload } = useResource('/_admin/snapshots', anything)
  return { items, reload }
}

const anything = [
  'organizations',
  'users',
  'memberships',
  'elements',
  'apps',
  'installations',
  'tokens',
  'faults',
  'clock',
]

/** The document as a file. With an admin token a link would not do. */
function Export() {
  const problem = useSignal<Problem | undefined>(undefined)
  const call = { method: 'GET' as const, path: '/_admin/state' }
  const save = async () => {
    shownCall.value = { calls: [call] }
    problem.value = undefined
    try {
      const document_ = await sendCall<WorldDocument>(call)
      const url = URL.createObjectURL(new Blob([JSON.stringify(document_, null, 2)], { type: 'application/json' }))
      const link = Object.assign(document.createElement('a'), { href: url, download: 'world.json' })
      link.click()
      URL.revokeObjectURL(url)
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, String(error))
    }
  }
  return (
    <span class="action">
      <button type="button" class="small quiet" onClick={() => void save()}>
        Export
      </button>
      <ProblemNote problem={problem.value} />
    </span>
  )
}

/** A file of the developer's, checked by the emulator when it is sent. */
function Import() {
  const chosen = useSignal<{ name: string; document: unknown } | undefined>(undefined)
  const wrong = useSignal('')
  const read = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    chosen.value = undefined
    wrong.value = ''
    if (!file) return
    try {
      chosen.value = { name: file.name, document: JSON.parse(await file.text()) }
    } catch (error) {
      wrong.value = `${file.name} is not JSON: ${error instanceof Error ? error.message : error}`
    }
  }
  return (
    <>
      <label class="inline file">
        Import{' '}
        <input type="file" accept=".json,application/json" onChange={({ currentTarget }) => void read(currentTarget)} />
      </label>
      {chosen.value && (
        <Action
          label={`Replace the world by ${chosen.value.name}`}
          call={{ method: 'PUT', path: '/_admin/state', body: chosen.value.document }}
          confirm={{
            title: 'Replace the world',
            loses:
              'Everything in this world goes: organizations, installations, tokens, deliveries. Snapshots stay, to go back to.',
          }}
          onDone={() => {
            chosen.value = undefined
          }}
        />
      )}
      {wrong.value && (
        <p class="note bad" role="alert">
          {wrong.value}
        </p>
      )}
    </>
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
