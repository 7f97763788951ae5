import { useList, useResource } from '../../api/resource.js'
import type { Snapshot } from '../../api/shapes.js'
import { Action } from '../../parts/action.js'
import { ActionsHead } from '../../parts/actions-head.js'
import { Moment } from '../../parts/facts.js'
import { FormAction, given } from '../../parts/form-action.js'

/** States with a name, to go back to. */
export function Snapshots() {
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
      {items.length === 0 && <p class="soft">No snapshots. Take one to be able to return to the current state.</p>}
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
              <ActionsHead />
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
                      loses: `This returns the world to “${name}” (records that differ now: ${changes}). Webhook attempts in flight are aborted.`,
                    }}
                  />
                  <Action
                    label="Delete"
                    what={`Delete ${name}`}
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
