import { useSignal } from '@preact/signals'
import { callOf } from '../api/call.js'
import { durationOf, now, spanOf } from '../api/clock.js'
import type { Delivery } from '../api/shapes.js'
import { Action } from '../parts/action.js'
import { linkTo } from '../parts/address.js'
import { Facts, Moment } from '../parts/facts.js'
import { MessageView } from '../parts/message.js'
import { HttpStatus, State } from '../parts/status.js'
import { isWaiting } from './delivery-list.js'
import { effectsOf } from './effects.js'

/** One delivery with its actions, and each attempt with both sides. */
export function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const { id, event, url, state, organization, installation, attempts, due_at } = delivery
  const wait = due_at !== null && isWaiting(delivery) ? Math.ceil(Date.parse(due_at) - now.value) : 0
  return (
    <>
      <h2 class="exchange">
        <b class="method">{event.type}</b> <span>{url}</span>
      </h2>
      <p class="line">
        <State state={state} /> {wait > 0 && <span class="soft">next attempt in {spanOf(wait)}</span>}
      </p>
      <div class="toolbar">
        {wait > 0 && <Action label="Advance to it" call={callOf('advanceClock', { body: { by: wait } })} />}
        <Action label="Redeliver" call={callOf('redeliver', { params: { id } })} />
      </div>
      <ForgedRedelivery delivery={delivery} />
      <Facts
        of={{
          Organization: <a href={linkTo('organizations', organization)}>{organization}</a>,
          Installation: <a href={linkTo('installations', installation)}>{installation}</a>,
          'Next attempt': due_at && <Moment at={due_at} />,
          Event: <code>{event.id}</code>,
          Delivery: <code>{id}</code>,
        }}
      />
      {attempts.length === 0 && <p class="soft">No attempts yet.</p>}
      {attempts.map((attempt, index) => <Attempt key={index} number={index + 1} attempt={attempt} />).toReversed()}
    </>
  )
}

function Attempt({ number, attempt }: { number: number; attempt: Delivery['attempts'][number] }) {
  const { at, status, duration, error, fault, request, response } = attempt
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <h3>
        Attempt {number} <HttpStatus status={status} /> <span class="soft num">{durationOf(duration)}</span>
      </h3>
      <p class="soft small">
        <Moment at={at} />
      </p>
      {error && (
        <p class="note bad">
          <b>Why</b> {error}
        </p>
      )}
      {fault && (
        <p class="note warn">
          <b>Injected fault</b> <a href={linkTo('faults', fault)}>{fault}</a>
        </p>
      )}
      <MessageView title="Request" message={request} />
      <MessageView title="Response" message={response} />
    </section>
  )
}

/** Redelivers with a fault that lasts for that one attempt. */
function ForgedRedelivery({ delivery: { event, organization, id } }: { delivery: Delivery }) {
  const effect = useSignal('bad_signature')
  return (
    <div class="toolbar">
      <label class="inline">
        Redeliver forged:{' '}
        <select
          value={effect.value}
          onChange={({ currentTarget }) => {
            effect.value = currentTarget.value
          }}
        >
          {effectsOf('webhook').map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Action
        label="Send"
        what={`Send: redeliver with ${effect.value}`}
        call={[
          callOf('addFault', {
            body: { match: { surface: 'webhook', event: event.type, organization }, effect: effect.value, times: 1 },
          }),
          callOf('redeliver', { params: { id } }),
        ]}
      />
    </div>
  )
}
