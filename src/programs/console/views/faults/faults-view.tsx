import { address, goTo, linkTo } from '../../address.js'
import { commandLine } from '../../api/call.js'
import { useList } from '../../api/resource.js'
import type { App, Fault, Organization } from '../../api/shapes.js'
import { dateTime, fromNow } from '../../emulator-time.js'
import { Action } from '../../parts/action.js'
import { ActionsHead } from '../../parts/actions-head.js'
import { Empty, Waiting } from '../../parts/empty.js'
import { AddFault } from './add-fault.js'

/** What goes wrong on purpose. console: Views, Faults */
export function FaultsView() {
  const { items: faults, ready, problem } = useList<Fault>('/_admin/faults', ['faults'])
  const { items: apps } = useList<App>('/_admin/apps', ['apps'])
  const { items: organizations } = useList<Organization>('/_admin/organizations', ['organizations'])
  const { id, query } = address.value
  const isAsked = query.get('add') === '1'
  return (
    <section class="single" aria-label="Faults">
      <div class="head">
        <h1>Faults</h1>
        <AddFault
          key={isAsked ? query.toString() : 'add'}
          apps={apps.map((app) => app.id)}
          organizations={organizations.map(({ slug }) => slug)}
          {...(isAsked && { given: Object.fromEntries(query) })}
          onClose={() => isAsked && goTo(linkTo('faults'))}
        />
        {faults.length > 0 && (
          <Action
            label="Remove all"
            call={{ method: 'DELETE', path: '/_admin/faults' }}
            confirm={{
              title: 'Remove all faults',
              loses: `This removes ${faults.length === 1 ? 'the fault' : `all ${faults.length} faults`} and the hit counts.`,
            }}
          />
        )}
      </div>
      {id !== undefined && ready && !faults.some((fault) => fault.id === id) && (
        <p class="note warn">Fault {id} no longer exists. It was removed, or the world was reset or replaced.</p>
      )}
      {!ready && <Waiting problem={problem} />}
      {ready && faults.length === 0 && (
        <Empty title="No faults" command={commandLine('faults add rate_limited --surface api --times 3')}>
          A fault makes the next request or webhook that it matches fail, as it would fail on the platform. You can also
          make a fault from any entry in Activity.
        </Empty>
      )}
      {faults.length > 0 && <FaultTable faults={faults} marked={id} />}
    </section>
  )
}

function FaultTable({ faults, marked }: { faults: Fault[]; marked: string | undefined }) {
  return (
    <table class="stack">
      <caption class="visually-hidden">Faults, oldest first: the oldest that matches fires</caption>
      <thead>
        <tr>
          <th scope="col">Effect</th>
          <th scope="col">Matches</th>
          <th scope="col" class="num">
            Hits
          </th>
          <th scope="col">Left</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {faults.map((fault) => (
          <tr key={fault.id} class={fault.id === marked ? 'open' : ''}>
            <td class="c-what">
              <code>{effectText(fault.effect)}</code>
              {fault.phase === 'after' && <span class="tag">after the request takes effect</span>}
              {fault.after > 0 && <span class="tag">lets {fault.after} through first</span>}
              {fault.probability < 1 && <span class="tag">{Math.round(fault.probability * 100)} % of the time</span>}
            </td>
            <td class="c-what">
              <code>{matchText(fault.match)}</code>
            </td>
            <td class="num">{fault.hits}</td>
            <td>
              {fault.left === null ? 'always' : fault.left === 0 ? 'used up' : `${fault.left} of ${fault.times}`}
              {fault.expires_at && (
                <span class="soft" title={dateTime(fault.expires_at)}>
                  {' '}
                  expires {fromNow(fault.expires_at)}
                </span>
              )}
            </td>
            <td class="c-actions">
              <Action
                label="Remove"
                what={`Remove the fault ${effectText(fault.effect)}`}
                call={{ method: 'DELETE', path: `/_admin/faults/${encodeURIComponent(fault.id)}` }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const effectText = (effect: unknown) => (typeof effect === 'string' ? effect : JSON.stringify(effect))
const matchText = (match: Record<string, unknown>) =>
  Object.entries(match)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || 'every request to /v0 and OAuth'
