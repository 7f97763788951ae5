import { fromNow } from '../api/clock.js'
import { commandLine } from '../api/curl.js'
import type { Delivery } from '../api/shapes.js'
import { queryValue } from '../parts/address.js'
import { type Column, Empty, RowLink } from '../parts/list.js'
import { countOf } from '../parts/message.js'
import { HttpStatus, State } from '../parts/status.js'
import { FilterSelect, ListView } from '../parts/view.js'
import { DeliveryDetail } from './delivery-detail.js'
import { deliveries, deliveryList } from './delivery-list.js'

const states: Delivery['state'][] = ['pending', 'acknowledged', 'retrying', 'failed', 'dropped']
const stateOptions = [{ value: '', label: 'Any state' }, ...states.map((value) => ({ value, label: value }))]

/** Webhooks with their states and attempts. console: Views, Deliveries */
export function DeliveriesView() {
  const wanted = queryValue('state')
  const shown = deliveries.value.filter(({ state }) => wanted === '' || state === wanted).toReversed()
  return (
    <ListView
      title="Deliveries"
      filters={
        <div class="filters">
          <FilterSelect name="state" label="State" options={stateOptions} />
          <span class="soft num">{countOf(shown.length, 'delivery', 'deliveries')}</span>
        </div>
      }
      noun="Delivery"
      find={(id) => deliveries.value.find((delivery) => delivery.id === id)}
      detail={(delivery) => <DeliveryDetail delivery={delivery} />}
      caption="Deliveries, newest first"
      columns={columns}
      items={shown}
      keyOf={({ id }) => id}
      state={{ ready: deliveryList.ready.value, problem: deliveryList.problem.value }}
      empty={
        wanted === '' ? (
          <Empty title="No deliveries yet" command={commandLine('install notes acme')}>
            Install an app that has a webhook. The emulator then sends <code>app.installed</code>, as the platform does.
          </Empty>
        ) : (
          <Empty title="No matching deliveries">Choose another state to see more.</Empty>
        )
      }
    />
  )
}

const columns: Column<Delivery>[] = [
  { head: 'State', cell: ({ state }) => <State state={state} /> },
  { head: 'Event', class: 'c-what', cell: (delivery) => <DeliverySummary delivery={delivery} /> },
  { head: 'Organization', class: 'c-org', cell: ({ organization }) => organization },
  {
    head: 'Response',
    class: 'c-answer',
    cell: ({ attempts }) => {
      const last = attempts.at(-1)
      return last ? <HttpStatus status={last.status} /> : <span class="soft">none yet</span>
    },
  },
  { head: 'Attempts', class: 'num c-count', cell: ({ attempts }) => attempts.length },
  {
    head: 'Next',
    class: 'c-app',
    cell: ({ due_at }) => due_at && <span title={due_at}>{fromNow(due_at)}</span>,
  },
]

function DeliverySummary({ delivery: { id, event, url, state, attempts } }: { delivery: Delivery }) {
  const error = attempts.at(-1)?.error ?? (state === 'failed' ? 'No attempt could be made' : undefined)
  return (
    <>
      <RowLink id={id}>
        <b class="method">{event.type}</b> <span class="path">{url}</span>
      </RowLink>
      {error && state !== 'acknowledged' && <div class="why">{error}</div>}
    </>
  )
}
