import { computed, useSignal } from '@preact/signals'
import { pluralize } from '../../reports/pluralize.js'
import { callOf, type Delivery } from '../api/call.js'
import { advanceTo, formatDuration, fromNow, isOver } from '../api/clock.js'
import { IN_MEMORY } from '../api/followed-list.js'
import { report } from '../api/report.js'
import { useList, useResource } from '../api/resource.js'
import { Action, Waiting } from '../components/action.js'
import { address, queryValue } from '../components/address.js'
import { boundTo, Copy } from '../components/button.js'
import { Facts, HttpStatus, Moment, Note, recordLink, State } from '../components/facts.js'
import { type Option, Options } from '../components/field.js'
import { FilterSelect } from '../components/filters.js'
import { FormAction } from '../components/form.js'
import { type Column, column, Empty, ListView, RowLink, reason } from '../components/list.js'
import { MessageView } from '../components/message.js'
import { deliveries, deliveryList } from './delivery-list.js'
import { curlOfWebhook } from './describe-entry.js'
import { effectsOf } from './faults.js'
import { NoInstalls } from './install-form.js'

/** Returns true while an attempt is still to come. */
export const isWaiting = ({ state }: Delivery) => state === 'pending' || state === 'retrying'

const isFailing = (delivery: Delivery) =>
  delivery.state === 'failed' || (isWaiting(delivery) && delivery.attempts.length > 0)
export const failingCount = computed(() => deliveries.value.filter(isFailing).length)

/** Sends an event. @param installation the one that is filled in. */
export const SendEvent = ({ installation = '' }: { installation?: string }) => (
  <FormAction
    label="Send an event"
    call="sendEvent"
    fields={{ installation: {}, type: { suggestions: ['app.installed', 'app.uninstalled'] }, data: {} }}
    initial={{ installation, data: '{}' }}
  />
)

const states: Delivery['state'][] = ['pending', 'acknowledged', 'retrying', 'failed', 'dropped']

/** Webhooks with their states and attempts. console: Views, Deliveries */
export function DeliveriesView() {
  const { id } = address.value
  const wanted = queryValue('state')
  const shown = deliveries.value.filter(({ state }) => wanted === '' || state === wanted)
  return (
    <ListView
      title="Deliveries"
      head={<SendEvent />}
      class="lines"
      filters={
        <div class="filters">
          <FilterSelect name="state" label="State" any="Any state" options={states} />
          <span class="soft">
            {deliveries.value.length === IN_MEMORY && 'newest '}
            {pluralize(shown.length, 'delivery', 'deliveries')}
          </span>
        </div>
      }
      find={(id) => deliveries.value.find((delivery) => delivery.id === id)}
      missing={id && <OlderDelivery key={id} id={id} />}
      detail={(delivery) => <DeliveryDetail key={delivery.id} delivery={delivery} />}
      caption="Deliveries, newest first"
      columns={columns}
      items={shown}
      turns={['Newer', 'Older']}
      ready={deliveryList.ready.value}
      problem={deliveryList.problem.value}
      empty={
        wanted === '' ? (
          <NoInstalls title="No deliveries yet" />
        ) : (
          <Empty title="No matching deliveries">Change the filter to see more.</Empty>
        )
      }
    />
  )
}

const columns: Column<Delivery>[] = [
  column('State', 'c-status', ({ state }) => <State state={state} />),
  column('Event', 'c-what', ({ id, event, url }) => <RowLink id={id} name={event.type} path={url} />),
  column('Organization', 'c-org', ({ organization }) => organization),
  column('Response', 'c-response', ({ attempts }) => {
    const last = attempts.at(-1)
    return last ? <HttpStatus status={last.status} /> : <span class="soft">none yet</span>
  }),
  column('Attempts', 'num c-count', ({ attempts: { length } }) => length > 0 && <AttemptNumber number={length} />),
  column(
    'Next',
    'c-next',
    ({ due_at, organization }) => due_at && <span title={due_at}>{fromNow(due_at, organization)}</span>,
  ),
  reason(failureOf),
]

function failureOf({ state, attempts }: Delivery): string | null {
  if (state === 'acknowledged') return null
  return attempts.at(-1)?.error ?? (state === 'failed' ? 'No attempt could be made' : null)
}

/** `2 of 3`: the number of an attempt, and how many the emulator makes by itself. */
function AttemptNumber({ number }: { number: number }) {
  const { data } = useResource('world')
  const retries = data?.settings.retry_schedule
  return <>{retries && number <= retries.length + 1 ? `${number} of ${retries.length + 1}` : number}</>
}

function OlderDelivery({ id }: { id: string }) {
  const { data, problem } = useResource('getDelivery', { params: { id } })
  return data ? <DeliveryDetail delivery={data} /> : <Waiting problem={problem} />
}

function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const { id, event, url, state, organization, installation, attempts, due_at } = delivery
  const next = due_at !== null && isWaiting(delivery) && !isOver(due_at, organization) && due_at
  return (
    <>
      <h2 class="exchange">
        <b class="method">{event.type}</b> <span>{url}</span>
      </h2>
      <p class="line">
        <State state={state} /> {next && <span class="soft">next attempt {fromNow(next, organization)}</span>}
      </p>
      <div class="toolbar">
        {next && <Action label="Advance to it" call={advanceTo(next, organization)} />}
        <Action label="Redeliver" call={callOf('redeliver', { params: { id } })} />
      </div>
      {attempts.length === 0 && <p class="soft">No attempts yet.</p>}
      {attempts
        .map((attempt, index) => <Attempt key={index} number={index + 1} of={delivery} {...attempt} />)
        .toReversed()}
      {!report && <ForgedRedelivery delivery={delivery} />}
      <Facts
        of={{
          Organization: recordLink('organizations', organization),
          Installation: recordLink('installations', installation),
          'Next attempt': due_at && <Moment at={due_at} of={organization} />,
          Event: <code>{event.id}</code>,
          Delivery: <code>{id}</code>,
        }}
      />
    </>
  )
}

function Attempt(props: Delivery['attempts'][number] & { number: number; of: Delivery }) {
  const { number, of: delivery, at, status, duration, error, fault, request, response } = props
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <h3>
        Attempt <AttemptNumber number={number} /> <HttpStatus status={status} />{' '}
        <span class="soft">{formatDuration(duration)}</span>
      </h3>
      <p class="soft small">
        <Moment at={at} of={delivery.organization} />
      </p>
      <Note tone="bad" title="Why">
        {error}
      </Note>
      <Note tone="warn" title="Injected fault">
        {recordLink('faults', fault)}
      </Note>
      <MessageView title="Response" of={` of attempt ${number}`} message={response} />
      <MessageView title="Request" of={` of attempt ${number}`} message={request} />
      <Copy text={() => curlOfWebhook(delivery.url, request)} label="Copy as curl" what={`attempt ${number}`} />
    </section>
  )
}

/** The effects on a redelivery, which is made at once; the last two have no name. */
const forgeries: Option[] = [
  ...effectsOf('webhook').filter(([name]) => name !== 'reorder'),
  '{"body":"not JSON"}',
  '{"signature":"forged"}',
]

/** Redelivers with a fault that lasts for that one attempt. */
function ForgedRedelivery({ delivery: { event, organization, installation, id } }: { delivery: Delivery }) {
  const effect = useSignal('bad_signature')
  const hits = useSignal(1)
  const app = useList('listInstallations').items.find((each) => each.id === installation)?.app
  return (
    <div class="toolbar">
      <label class="inline">
        Redeliver forged:{' '}
        <select {...boundTo(effect)}>
          <Options of={forgeries} />
        </select>
      </label>
      <Action<'deleteFault'>
        label="Send"
        what={`Send: redeliver with ${effect.value}`}
        call={[
          callOf('addFault', {
            body: {
              match: { surface: 'webhook', event: event.type, organization, ...(app && { app }) },
              effect: effect.value.startsWith('{') ? JSON.parse(effect.value) : effect.value,
              times: 1,
            },
          }),
          callOf('redeliver', { params: { id } }),
          (fault) => callOf('deleteFault', { params: { id: fault.id } }),
        ]}
        onDone={(fault) => {
          hits.value = fault.hits
        }}
      />
      <Note tone="warn" role="status">
        {hits.value === 0 && 'Not forged: an older fault fired first.'}
      </Note>
    </div>
  )
}
