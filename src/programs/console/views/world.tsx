import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { CallResult } from '../../../control/admin/calls.js'
import { callOf, type World } from '../api/call.js'
import { formatSpan } from '../api/clock.js'
import { useList, useResource } from '../api/resource.js'
import { Action, Waiting } from '../components/action.js'
import { assign } from '../components/button.js'
import { Facts, Moment, Note } from '../components/facts.js'
import { FormAction } from '../components/form.js'
import { actions, type Column, column, Head, List, SingleView } from '../components/list.js'
import { Scenarios } from './scenarios.js'

/** Settings in force, snapshots, reset, export and import. console: Views, World */
export function WorldView() {
  const { data: world, problem } = useResource('world')
  return (
    <SingleView
      title="World"
      head={
        <Action
          label="Reset"
          call={callOf('reset')}
          what="Reset the world"
          loses="The world and its clock are as loaded at start. Journal and inboxes are cleared; snapshots and liberties stay."
        />
      }
    >
      {!world ? (
        <Waiting problem={problem} />
      ) : (
        <Facts
          of={{
            'Public API': <code>{world.base_url}/v0</code>,
            'OAuth, web app': <a href={world.browser_url}>{world.app_url}</a>,
            Version: world.version,
            World: `${world.world}, ${world.store === 'memory' ? 'in memory' : world.store}`,
            'Other worlds':
              world.worlds.length > 1 &&
              world.worlds.map(({ index, url }) => (
                <a key={url} class="tag" href={`${url}/_console`}>
                  {index}: {url}
                </a>
              )),
          }}
        />
      )}
      <Snapshots />
      <h2>Export and import</h2>
      <p class="soft">The whole world as a fixture document, including its secrets.</p>
      <div class="toolbar">
        <Action label="Export" call={callOf('getState')} onDone={saveAsFile} />
        <Import />
      </div>
      <Liberties />
      <Scenarios />
      {world && <Settings world={world} />}
    </SingleView>
  )
}

function Snapshots() {
  const snapshots = useList('listSnapshots')
  const columns: Column<CallResult<'listSnapshots'>[number]>[] = [
    column('Name', 'c-what', ({ name }) => <b>{name}</b>),
    column('Taken', 'c-app', ({ created_at }) => <Moment at={created_at} />),
    column('Changes since', 'num', ({ changes }) => changes),
    actions(({ name, changes }) => (
      <>
        <Action
          label="Restore"
          what={`Restore ${name}`}
          call={callOf('restoreSnapshot', { params: { name } })}
          loses={`This returns the world to the snapshot (records that differ now: ${changes}). Webhook attempts in flight are aborted.`}
        />
        <Action
          label="Delete"
          what={`Delete ${name}`}
          call={callOf('deleteSnapshot', { params: { name } })}
          loses={`This deletes the snapshot “${name}”.`}
        />
      </>
    )),
  ]
  return (
    <>
      <Head title="Snapshots">
        <FormAction
          label="Take a snapshot"
          call="snapshot"
          fields={({ name }) => ({
            name: snapshots.items.some((each) => each.name === name) ? { hint: `This replaces “${name}”.` } : {},
          })}
        />
      </Head>
      <List
        caption="Snapshots, oldest first"
        columns={columns}
        {...snapshots}
        keyOf={({ name }) => name}
        empty={<p class="soft">No snapshots. Take one to return to it later.</p>}
      />
    </>
  )
}

/** Saves the document as a file. Not a link: that cannot send an admin token. */
function saveAsFile(document: object): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' }))
  Object.assign(window.document.createElement('a'), { href: url, download: 'world.json' }).click()
  URL.revokeObjectURL(url)
}

function Import() {
  const chosen = useSignal<{ name: string; document: object } | undefined>(undefined)
  const problem = useSignal('')
  const read = async (file: File | undefined) => {
    chosen.value = undefined
    problem.value = ''
    if (!file) return
    try {
      chosen.value = { name: file.name, document: JSON.parse(await file.text()) }
    } catch (error) {
      problem.value = `${file.name}: ${(error as Error).message}`
    }
  }
  return (
    <>
      <label class="inline">
        Import{' '}
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            void read(currentTarget.files?.[0])
            // Otherwise, choosing the same file again after a correction would be no change.
            currentTarget.value = ''
          }}
        />
      </label>
      {chosen.value && (
        <>
          <Action
            label={`Replace the world with ${chosen.value.name}`}
            call={callOf('putState', { body: chosen.value.document })}
            loses="This replaces everything in the world. Snapshots stay."
            onDone={assign(chosen, undefined)}
          />
          <Action
            label={`Add ${chosen.value.name} to the world`}
            call={callOf('addFixtures', { body: chosen.value.document })}
            onDone={assign(chosen, undefined)}
          />
        </>
      )}
      <Note tone="bad" role="alert">
        {problem.value}
      </Note>
    </>
  )
}

const valueText = (value: unknown) =>
  value === undefined || value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)

const sources: Record<World['setting_sources'][string], ComponentChildren> = {
  given: 'a flag, option or variable',
  fixture: 'a fixture',
  default: <span class="soft">default</span>,
}

const isDuration = /_(ttl|window|timeout)$/

export function Settings({ world }: { world: World }) {
  const columns: Column<[name: string, value: unknown]>[] = [
    column('Setting', '', ([name]) => <code>{name}</code>),
    column('Value', 'c-what', ([name, value]) => (
      <>
        <code>{valueText(value)}</code>{' '}
        {typeof value === 'number' && isDuration.test(name) && <span class="soft">{formatSpan(value)}</span>}
      </>
    )),
    column('Set by', '', ([name]) => sources[world.setting_sources[name] ?? 'default']),
  ]
  return (
    <>
      <h2>Settings in force</h2>
      <List
        caption="Settings in force"
        columns={columns}
        items={Object.entries(world.settings)}
        keyOf={([name]) => name}
      />
    </>
  )
}

function Liberties() {
  const { data, problem } = useResource('getLiberties')
  const { seed = null, kinds = [], taken = {} } = data ?? {}
  return (
    <>
      <Head title="Liberties">
        <FormAction
          label="Take liberties"
          call="setLiberties"
          initial={{ seed: seed ?? '1' }}
          fields={{ seed: {}, kinds: { hint: 'JSON: ["shape", "weather", "future"], or ids of liberties.' } }}
        />
        {seed !== null && <Action label="Take none" call={callOf('clearLiberties')} />}
      </Head>
      <div class="soft">
        {!data ? (
          <Waiting problem={problem} />
        ) : seed === null ? (
          'None: what the documentation leaves open does not vary.'
        ) : (
          <>
            Seed <code>{seed}</code>, kinds <code>{kinds.join(', ')}</code>
          </>
        )}
      </div>
      {Object.entries(taken).map(([name, times]) => (
        <span key={name} class="tag">
          {name}: {times}
        </span>
      ))}
    </>
  )
}
