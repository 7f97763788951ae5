import { useSignal } from '@preact/signals'
import { linkTo } from '../../address.js'
import type { Delivery } from '../../api/shapes.js'
import { durationOf, now, spanOf } from '../../emulator-time.js'
import { Action } from '../../parts/action.js'
import { Facts, Moment } from '../../parts/facts.js'
import { MessageView } from '../../parts/message.js'
import { HttpStatus, State } from '../../parts/status.js'
import { effectNames } from '../faults/effects.js'
import { isWaiting } from './delivery-list.js'

/** One delivery: what may be done with it, and each attempt with both sides. */
export function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const { id, event, attempts, due_at } = delivery
  const wait = due_at === null ? 0 : Date.parse(due_at) - now.value
  return (
    <>
      <h2 class="exchange">
        <b class="method">{event.type}</b> <span>{delivery.url}</span>
      </h2>
      <p class="line">
        <State state={delivery.state} />{' '}
        {isWaiting(delivery) && wait > 0 && <span class="soft">next attempt in {spanOf(wait)}</span>}
      </p>
      <div class="toolbar">
        {isWaiting(delivery) && wait > 0 && (
          <Action
            label="Advance to it"
            call={{ method: 'POST', path: '/_admin/clock/advance', body: { by: Math.ceil(wait) } }}
          />
        )}
        <Action label="Redeliver" call={{ method: 'POST', path: redeliverPath(id) }} />
      </div>
      <Forged delivery={delivery} />
      <Facts
        of={[
          [
            'Organization',
            <a key="o" href={linkTo('organizations', delivery.organization)}>
              {delivery.organization}
            </a>,
          ],
          [
            'Installation',
            <a key="i" href={linkTo('installations', delivery.installation)}>
              {delivery.installation}
            </a>,
          ],
          ['Next attempt', due_at && <Moment at={due_at} />],
          ['Event', <code key="e">{event.id}</code>],
          ['Delivery', <code key="d">{id}</code>],
        ]}
      />
      {attempts.length === 0 && <p class="soft">No attempts yet.</p>}
      {attempts
        .map((attempt, index) => ({ attempt, number: index + 1 }))
        .toReversed()
        .map(({ attempt, number }) => (
          <section class="attempt" key={number} aria-label={`Attempt ${number}`}>
            <h3>
              Attempt {number} <HttpStatus status={attempt.status} />{' '}
              <span class="soft num">{durationOf(attempt.duration)}</span>
            </h3>
            <p class="soft small">
              <Moment at={attempt.at} />
            </p>
            {attempt.error && (
              <p class="note bad">
                <b>Why</b> {attempt.error}
              </p>
            )}
            {attempt.fault && (
              <p class="note warn">
                <b>Injected fault</b> <a href={linkTo('faults', attempt.fault)}>{attempt.fault}</a>
              </p>
            )}
            <MessageView title="Request" message={attempt.request} />
            <MessageView title="Response" message={attempt.response} />
          </section>
        ))}
    </>
  )
}

const redeliverPath = (id: string) => `/_admin/deliveries/${encodeURIComponent(id)}/redeliver`

/** Sends it once more with a fault that lasts for that one attempt. */
function Forged({ delivery }: { delivery: Delivery }) {
  const effect = useSignal('bad_signature')
  const { event, organization, id } = delivery
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
          {effectNames.webhook.map(({ name, means }) => (
            <option key={name} value={name}>
              {name}: {means}
            </option>
          ))}
        </select>
      </label>
      <Action
        label="Send"
        what={`Send: redeliver with ${effect.value}`}
        call={[
          {
            method: 'POST',
            path: '/_admin/faults',
            body: { match: { surface: 'webhook', event: event.type, organization }, effect: effect.value, times: 1 },
          },
          { method: 'POST', path: redeliverPath(id) },
        ]}
      />
    </div>
  )
}
