import { address, goTo, linkTo, setQuery } from '../../address.js'
import { commandLine } from '../../api/call.js'
import type { Delivery } from '../../api/shapes.js'
import { fromNow } from '../../emulator-time.js'
import { Empty, Waiting } from '../../parts/empty.js'
import { Split } from '../../parts/split.js'
import { HttpStatus, State } from '../../parts/status.js'
import { DeliveryDetail } from './delivery-detail.js'
import { deliveries, deliveryList, findDelivery } from './delivery-list.js'

const DRAWN = 200
const states = ['pending', 'acknowledged', 'retrying', 'failed', 'dropped']

/** Webhooks: where each stands, and what every attempt came to. console: Views, Deliveries */
export function DeliveriesView() {
  const { id, query } = address.value
  const delivery = id === undefined ? undefined : findDelivery(id)
  const wanted = query.get('state') ?? ''
  const shown = deliveries.value.filter(({ state }) => wanted === '' || state === wanted).toReversed()
  return (
    <Split
      title="Deliveries"
      list={
        <>
          <div class="filters">
            <select
              aria-label="State"
              value={wanted}
              onChange={(event) => setQuery('state', event.currentTarget.value)}
            >
              <option value="">Any state</option>
              {states.map((state) => (
                <option key={state}>{state}</option>
              ))}
            </select>
            <span class="soft num">
              {shown.length} {shown.length === 1 ? 'delivery' : 'deliveries'}
              {shown.length > DRAWN && `, the newest ${DRAWN} shown`}
            </span>
          </div>
          {!deliveryList.loaded.value && <Waiting problem={deliveryList.problem.value} />}
          {deliveryList.loaded.value && shown.length === 0 && wanted !== '' && (
            <Empty title="No matching deliveries">Choose another state to see more.</Empty>
          )}
          {deliveryList.loaded.value && shown.length === 0 && wanted === '' && (
            <Empty title="No deliveries yet" command={commandLine('install notes acme')}>
              Install an app that has a webhook. The emulator then sends <code>app.installed</code>, as the platform
              does.
            </Empty>
          )}
          {shown.length > 0 && <DeliveryTable deliveries={shown.slice(0, DRAWN)} open={id} />}
        </>
      }
      detail={
        id === undefined ? undefined : delivery ? (
          <DeliveryDetail delivery={delivery} />
        ) : (
          deliveryList.loaded.value && (
            <Empty title={`Delivery ${id} not found`}>It may belong to a world that was reset or replaced.</Empty>
          )
        )
      }
      onClose={() => goTo(linkTo('deliveries', undefined, query))}
    />
  )
}

function DeliveryTable({ deliveries, open }: { deliveries: Delivery[]; open: string | undefined }) {
  return (
    <table>
      <caption class="visually-hidden">Deliveries, newest first</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Event</th>
          <th scope="col" class="c-org">
            Organization
          </th>
          <th scope="col">Response</th>
          <th scope="col" class="num c-count">
            Attempts
          </th>
          <th scope="col" class="c-app">
            Next
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} isOpen={delivery.id === open} />
        ))}
      </tbody>
    </table>
  )
}

function DeliveryRow({ delivery, isOpen }: { delivery: Delivery; isOpen: boolean }) {
  const last = delivery.attempts.at(-1)
  const failed = last?.error ?? (delivery.state === 'failed' ? 'No attempt could be made' : undefined)
  return (
    <tr class={isOpen ? 'open' : ''}>
      <td>
        <State state={delivery.state} />
      </td>
      <td class="c-what">
        <a
          data-row
          href={linkTo('deliveries', delivery.id, address.value.query)}
          aria-current={isOpen ? 'true' : undefined}
        >
          <b class="method">{delivery.event.type}</b> <span class="path">{delivery.url}</span>
        </a>
        {failed && delivery.state !== 'acknowledged' && <div class="why">{failed}</div>}
      </td>
      <td class="c-org">{delivery.organization}</td>
      <td class="c-answer">{last ? <HttpStatus status={last.status} /> : <span class="soft">none yet</span>}</td>
      <td class="num c-count">{delivery.attempts.length}</td>
      <td class="c-app" title={delivery.due_at ?? undefined}>
        {delivery.due_at && fromNow(delivery.due_at)}
      </td>
    </tr>
  )
}
