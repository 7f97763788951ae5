import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { pluralize } from '../../reports/pluralize.js'
import { base, callOf, type Entry } from '../api/call.js'
import { dateOf, formatDuration, millisecondsOf, timeOfDay, today } from '../api/clock.js'
import { report } from '../api/report.js'
import { useList } from '../api/resource.js'
import { missed } from '../api/stream.js'
import { Action, Waiting } from '../components/action.js'
import { address, queryValue, setQuery } from '../components/address.js'
import { assign, Button } from '../components/button.js'
import { HttpStatus, Note, statusClasses } from '../components/facts.js'
import type { Option } from '../components/field.js'
import { FilterSelect, SearchField } from '../components/filters.js'
import { FormAction } from '../components/form.js'
import { type Column, column, Empty, ListView, RowLink, reason } from '../components/list.js'
import { isOutgoing, ownersOf, pathOfEntry, titleOf } from './describe-entry.js'
import {
  entries,
  filterNames,
  findEntry,
  isFiltered,
  isPartial,
  isTrouble,
  journal,
  keptEntry,
  marks,
  matching,
  paused,
  shownEntry,
  togglePause,
  troubleCount,
  waitingCount,
} from './entries.js'
import { EntryDetail } from './entry-detail.js'
import { CutNote } from './run.js'

/** Requests and webhooks on one timeline, newest first. console: Views, Activity */
export function ActivityView() {
  const { id } = address.value
  const entry = id === undefined ? undefined : findEntry(id)
  useEffect(() => {
    if (entry) keptEntry.value = entry
  }, [entry])
  return (
    <ListView
      title="Activity"
      head={
        <>
          <FormAction label="Mark" title="Mark the journal" call="mark" />
          <Action
            label="Clear the journal"
            call={callOf('clearRequests')}
            loses="This deletes every entry, for everyone who uses this emulator."
          />
        </>
      }
      filters={
        <>
          <FilterBar />
          <CutNote />
          <Announcement />
          <MissedEvents />
        </>
      }
      foot={isPartial() && <p class="soft">Filters look at the newest {entries.value.length} entries only.</p>}
      find={findEntry}
      missing={id && <OtherEntry id={id} />}
      detail={(entry) => <EntryDetail entry={entry} />}
      caption="Requests and webhooks, newest first"
      class="lines entries"
      columns={columns}
      items={matching.value}
      kept={shownEntry.value}
      turns={['Newer', 'Older']}
      ready={journal.ready.value}
      problem={journal.problem.value}
      empty={
        isFiltered() ? (
          <Empty title="No matching entries">Change the filters to see more.</Empty>
        ) : paused.value ? (
          <Empty title="Paused">Resume shows what came meanwhile.</Empty>
        ) : (
          <Empty title="No requests yet" command={`curl -H 'Authorization: Bearer key_acme' ${base.href}v0/courses`}>
            Requests from your app and webhooks to it appear here. Point your app at {base.origin}, or try this with an
            API key of your world:
          </Empty>
        )
      }
    />
  )
}

/** Reads an entry that the list leaves out, such as one of an audit's, and keeps it in the list while it is open. */
function OtherEntry({ id }: { id: string }) {
  const { items, ready, problem } = useList('listRequests', { query: { since: Number(id) - 1, run: 'any' } })
  const found = items.find((entry) => String(entry.id) === id)
  useEffect(() => {
    if (found) keptEntry.value = found
  }, [found])
  if (found || !(ready || problem)) return <Waiting />
  return <Empty title={`Entry ${id} not found`}>The journal keeps the newest entries until a reset or restart.</Empty>
}

const columns: Column<Entry>[] = [
  column('Status', 'c-status', ({ status }) => <HttpStatus status={status} />),
  column('Time, UTC', 'c-time', ({ at }) => (
    <div title={at}>
      {dateOf(at) !== today.value && <div>{dateOf(at)}</div>}
      {timeOfDay(at)}
      <span class="ms">{millisecondsOf(at)}</span>
    </div>
  )),
  column('Direction', 'c-way', (entry) => <span class="way">{isOutgoing(entry) ? '→ out' : '← in'}</span>),
  column('Request or event', 'c-what', (entry) => <EntrySummary entry={entry} />),
  column('App, organization', 'c-who', ownersOf),
  column('Took', 'c-duration num', ({ duration }) => formatDuration(duration)),
  reason((entry) => isTrouble(entry) && entry.reason),
]

function EntrySummary({ entry }: { entry: Entry }) {
  const { id, fault, findings = [], liberties = [], warnings } = entry
  return (
    <>
      <RowLink id={id} name={titleOf(entry)} path={pathOfEntry(entry)} onFocus={assign(keptEntry, entry)} />
      {fault && <span class="tag warn">fault</span>}
      {findings.length > 0 && <span class="tag warn">{pluralize(findings.length, 'finding')}</span>}
      {warnings.length > 0 && <span class="tag warn">{pluralize(warnings.length, 'warning')}</span>}
      {liberties.length > 0 && <span class="tag">{pluralize(liberties.length, 'liberty', 'liberties')}</span>}
    </>
  )
}

const surfaces = ['api', 'oauth', 'web', 'inbox', 'webhook', 'admin']
const statuses: Option[] = [
  ['trouble', 'Refused or failed'],
  ...Object.entries(statusClasses).map(([name, [, , label]]): Option => [name, label]),
]

function FilterBar() {
  const { items: apps } = useList('listApps')
  const { items: organizations } = useList('listOrganizations')
  const trouble = troubleCount.value
  const isTroubleOnly = queryValue('status') === 'trouble'
  const clear = () => {
    for (const name of filterNames) setQuery(name, '')
  }
  return (
    <search class="filters" aria-label="Activity">
      <Button
        look={`small quiet trouble ${trouble > 0 ? 'some' : ''}`}
        aria-pressed={isTroubleOnly}
        onClick={() => setQuery('status', isTroubleOnly ? '' : 'trouble')}
      >
        <span class="shape" aria-hidden="true">
          ✕
        </span>{' '}
        Refused or failed <b>{trouble}</b>
      </Button>
      <SearchField label="Search, including bodies" placeholder="Search all text" />
      <FilterSelect name="status" label="Status" options={statuses} />
      <FilterSelect name="surface" label="Surface" options={surfaces} />
      <FilterSelect name="app" label="App" options={apps.map(({ id, name }) => [id, name])} />
      <FilterSelect
        name="organization"
        label="Organization"
        options={organizations.map(({ slug, name }) => [slug, name])}
      />
      {marks.value.length > 0 && <FilterSelect name="mark" label="Mark" options={marks.value} />}
      {isFiltered() && <Button onClick={clear}>Clear filters</Button>}
      {!report && (
        <Button look="small quiet pause" aria-pressed={paused.value} onClick={togglePause}>
          {paused.value ? `Resume (${waitingCount.value} new)` : 'Pause'}
        </Button>
      )}
    </search>
  )
}

/** Announces counts to screen readers, never each row, and not too often. */
function Announcement() {
  const text = useSignal('')
  useEffect(() => {
    const timer = setInterval(() => {
      const found = isFiltered() ? `${matching.value.length} of ` : ''
      text.value = `${found}${entries.value.length} entries, ${troubleCount.value} refused or failed`
    }, 5_000)
    return () => clearInterval(timer)
  }, [text])
  return (
    <p class="visually-hidden" role="status">
      {text.value}
    </p>
  )
}

function MissedEvents() {
  if (missed.value === null) return null
  return (
    <Note tone="warn" role="status">
      Missed {pluralize(missed.value, 'event')}, so the list was loaded again.{' '}
      <Button onClick={assign(missed, null)}>Dismiss</Button>
    </Note>
  )
}
