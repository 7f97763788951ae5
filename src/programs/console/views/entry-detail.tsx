import { pluralize } from '../../reports/pluralize.js'
import type { Entry } from '../api/call.js'
import { formatDuration } from '../api/clock.js'
import { report } from '../api/report.js'
import { useList } from '../api/resource.js'
import { linkTo } from '../components/address.js'
import { Copy } from '../components/button.js'
import { Facts, HttpStatus, Moment, Note, recordLink, Warnings } from '../components/facts.js'
import { MessageView } from '../components/message.js'
import {
  canFail,
  curlOfEntry,
  deliveryOfEntry,
  faultQueryOf,
  installationOfEntry,
  isOutgoing,
  pathOfEntry,
  scenarioStepOf,
  titleOf,
} from './describe-entry.js'
import { entries, isTrouble } from './entries.js'

/** A request or webhook with everything that belongs to it, its reason first. console: Views, Activity */
export function EntryDetail({ entry }: { entry: Entry }) {
  const { items: installations } = useList('listInstallations')
  const { items: findings } = useList('listFindings')
  const isWebhook = isOutgoing(entry)
  const installation = installationOfEntry(entry, installations)
  const delivery = isWebhook ? deliveryOfEntry(entry) : undefined
  const { organization, user, warnings, trace_id } = entry
  return (
    <>
      <h2 class="exchange">
        <b class="method">{titleOf(entry)}</b> <span>{pathOfEntry(entry)}</span>
      </h2>
      <p class="line">
        <HttpStatus status={entry.status} /> <span>{formatDuration(entry.duration)}</span>{' '}
        <span class="soft">{isWebhook ? 'webhook, sent to the app' : `received on ${entry.surface}`}</span>
      </p>
      {entry.reason && (
        <div class={`note ${isTrouble(entry) ? 'bad' : 'warn'} reason`}>
          <b>{isTrouble(entry) ? 'Why' : 'Note'}</b>
          <p>{entry.reason}</p>
        </div>
      )}
      <Note tone="warn" title="Injected fault">
        {recordLink('faults', entry.fault)}
      </Note>
      {findings
        .filter(({ entries: cited }) => cited.includes(entry.id))
        .map(({ rule, level, message, entries: cited }) => (
          <Note key={rule} tone={level === 'error' ? 'bad' : 'warn'} title="Finding">
            <a href={linkTo('findings')}>{rule}</a>
            {cited.at(-1) !== entry.id && `, at #${cited.at(-1)}`}: {message}
          </Note>
        ))}
      <Warnings of={warnings} />
      <div class="toolbar">
        <Copy text={() => curlOfEntry(entry)} label="Copy as curl" />
        <Copy text={() => scenarioStepOf(entry)} label="Copy as scenario step" />
        {!report && canFail(entry) && (
          <a class="button small quiet" href={linkTo('faults', undefined, faultQueryOf(entry))}>
            Make this a fault
          </a>
        )}
      </div>
      <MessageView title="Response" message={entry.status === null ? null : entry.response} />
      <MessageView title="Request" message={entry.request} />
      <Facts
        of={{
          Time: <Moment at={entry.at} of={organization} />,
          App: recordLink('apps', entry.app),
          Organization: recordLink('organizations', organization),
          User: recordLink('sign-in', user),
          Installation: recordLink('installations', installation?.id, `${installation?.id} and its tokens`),
          Delivery: recordLink('deliveries', delivery?.id),
          Trace: trace_id && (
            <a href={linkTo('activity', entry.id, { trace: trace_id })}>
              {pluralize(entries.value.filter((each) => each.trace_id === trace_id).length, 'exchange')} of this trace
            </a>
          ),
          Mark: entry.mark && <a href={linkTo('activity', entry.id, { mark: entry.mark })}>{entry.mark}</a>,
          Liberties: entry.liberties?.join(', '),
          Entry: <code>{entry.id}</code>,
        }}
      />
    </>
  )
}
