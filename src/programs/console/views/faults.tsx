import { callOf, commandLine, type Fault } from '../api/call.js'
import { dateTime, fromNow, isOver } from '../api/clock.js'
import { report } from '../api/report.js'
import { useList } from '../api/resource.js'
import { Action } from '../components/action.js'
import { address } from '../components/address.js'
import { actions, type Column, column, Empty, List, SingleView } from '../components/list.js'
import { FaultForm } from './fault-form.js'

/** Injected faults. console: Views, Faults */
export function FaultsView() {
  const faults = useList('listFaults')
  const { items } = faults
  const { id } = address.value
  const [used, active] = [items.filter(isUsedUp), items.filter((fault) => !isUsedUp(fault))]
  return (
    <SingleView
      title="Faults"
      head={
        <>
          <FaultForm />
          {items.length > 0 && (
            <Action
              label="Remove all"
              call={callOf('clearFaults')}
              what="Remove all faults"
              loses="This removes every fault and the hit counts."
            />
          )}
        </>
      }
    >
      {id !== undefined && faults.ready && !items.some((fault) => fault.id === id) && (
        <p class="note warn">Fault {id} no longer exists.</p>
      )}
      <List
        caption="Faults, oldest first: the oldest that matches fires"
        class="stack"
        columns={columns}
        {...faults}
        items={active}
        empty={
          <Empty
            title={used.length > 0 ? 'No faults left' : 'No faults'}
            command={commandLine('faults add rate_limited --surface api --times 3')}
          >
            A fault makes requests or webhooks fail, as on the platform. You can also make one from an entry in
            Activity.
          </Empty>
        }
      />
      {used.length > 0 && (
        <details open={report !== undefined || used.some((fault) => fault.id === id)}>
          <summary>{used.length} used up or expired</summary>
          <List caption="Faults that are used up or expired" class="stack" columns={columns} items={used} />
        </details>
      )}
    </SingleView>
  )
}

/** Returns true for a fault that cannot fire any more. */
const isUsedUp = ({ left, expires_at, match }: Fault) => left === 0 || isOver(expires_at, match.organization)

const effectText = (effect: unknown) => (typeof effect === 'string' ? effect : JSON.stringify(effect))
const matchText = (match: Record<string, unknown>) =>
  Object.entries(match)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || 'every request to /v0 and OAuth'

const columns: Column<Fault>[] = [
  column('Effect', 'c-what', ({ effect, phase, after, probability }) => (
    <>
      <code>{effectText(effect)}</code>
      {phase === 'after' && <span class="tag">after the request takes effect</span>}
      {after > 0 && <span class="tag">lets {after} through first</span>}
      {probability < 1 && <span class="tag">{Math.round(probability * 100)} % of the time</span>}
    </>
  )),
  column('Matches', 'c-what', ({ match }) => <code>{matchText(match)}</code>),
  column('Hits', 'num', ({ hits }) => hits),
  column('Left', '', ({ left, times, expires_at, match }) => (
    <>
      {left === null ? 'always' : left === 0 ? 'used up' : `${left} of ${times}`}
      {expires_at && (
        <div class="soft nowrap" title={dateTime(expires_at)}>
          {isOver(expires_at, match.organization) ? 'expired' : 'expires'} {fromNow(expires_at, match.organization)}
        </div>
      )}
    </>
  )),
  actions(({ id, effect }) => (
    <Action
      label="Remove"
      what={`Remove the fault ${effectText(effect)}`}
      call={callOf('deleteFault', { params: { id } })}
    />
  )),
]
