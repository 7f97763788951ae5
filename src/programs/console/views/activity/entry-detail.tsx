import { linkTo } from '../../address.js'
import { useList } from '../../api/resource.js'
import type { Entry, Installation } from '../../api/shapes.js'
import { durationOf } from '../../emulator-time.js'
import { Copy } from '../../parts/copy.js'
import { Facts, Moment } from '../../parts/facts.js'
import { MessageView } from '../../parts/message.js'
import { HttpStatus } from '../../parts/status.js'
import { deliveries } from '../deliveries/delivery-list.js'
import {
  curlOfEntry,
  deliveryOfEntry,
  eventOf,
  faultQueryOf,
  installationOfEntry,
  isOutgoing,
  pathOfEntry,
  scenarioStepOf,
} from './describe-entry.js'
import { isTrouble } from './entries.js'

/** Everything about one request or webhook, its reason first. console: Views, Activity */
export function EntryDetail({ entry }: { entry: Entry }) {
  const { items: installations } = useList<Installation>('/_admin/installations', ['installations'])
  const outgoing = isOutgoing(entry)
  const installation = installationOfEntry(entry, installations)
  const delivery = outgoing ? deliveryOfEntry(entry, deliveries.value) : undefined
  const { request, response } = entry
  return (
    <>
      <h2 class="exchange">
        <b class="method">{outgoing ? eventOf(entry) : entry.method}</b> <span>{pathOfEntry(entry)}</span>
      </h2>
      <p class="line">
        <HttpStatus status={entry.status} /> <span class="num">{durationOf(entry.duration)}</span>{' '}
        <span class="soft">{outgoing ? 'webhook, sent to the app' : `received on ${entry.surface}`}</span>
      </p>
      {entry.reason && (
        <div class={`note ${isTrouble(entry) ? 'bad' : 'warn'} reason`}>
          <b>{isTrouble(entry) ? 'Why' : 'Note'}</b>
          <p>{entry.reason}</p>
        </div>
      )}
      {entry.fault && (
        <p class="note warn">
          <b>Injected fault</b> <a href={linkTo('faults', entry.fault)}>{entry.fault}</a> affected this exchange.
        </p>
      )}
      {entry.warnings.length > 0 && (
        <ul class="note warn plain">
          {entry.warnings.map((warning) => (
            <li key={warning.path + warning.message}>
              <code>{warning.path || warning.code}</code> {warning.message}
            </li>
          ))}
        </ul>
      )}
      <div class="toolbar">
        {!outgoing && <Copy text={() => curlOfEntry(entry)} label="Copy as curl" />}
        <Copy text={() => scenarioStepOf(entry)} label="Copy as scenario step" />
        {(entry.surface === 'api' || entry.surface === 'oauth' || outgoing) && (
          <a class="button small quiet" href={linkTo('faults', undefined, faultQueryOf(entry))}>
            Make this a fault
          </a>
        )}
      </div>
      <Facts
        of={[
          ['Time', <Moment key="at" at={entry.at} />],
          ['App', entry.app],
          [
            'Organization',
            entry.organization && <a href={linkTo('organizations', entry.organization)}>{entry.organization}</a>,
          ],
          ['User', entry.user && <a href={linkTo('sign-in', entry.user)}>{entry.user}</a>],
          [
            'Installation',
            installation && <a href={linkTo('installations', installation.id)}>{installation.id} and its tokens</a>,
          ],
          ['Delivery', delivery && <a href={linkTo('deliveries', delivery.id)}>{delivery.id}</a>],
          ['Entry', <code key="id">{entry.id}</code>],
        ]}
      />
      <MessageView title="Request" message={request} />
      <MessageView title="Response" message={entry.status === null ? null : response} />
    </>
  )
}
