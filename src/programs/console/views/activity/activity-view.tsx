import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { address, goTo, linkTo } from '../../address.js'
import { base } from '../../api/call.js'
import type { Entry } from '../../api/shapes.js'
import { dateOf, durationOf, millisecondsOf, now, timeOfDay } from '../../emulator-time.js'
import { missed } from '../../live/connection.js'
import { Action } from '../../parts/action.js'
import { Empty, Waiting } from '../../parts/empty.js'
import { Split } from '../../parts/split.js'
import { HttpStatus } from '../../parts/status.js'
import { eventOf, isOutgoing, pathOfEntry } from './describe-entry.js'
import {
  DRAWN,
  drawn,
  entries,
  findEntry,
  firstDrawn,
  isFiltered,
  isTrouble,
  journal,
  keptEntry,
  matching,
} from './entries.js'
import { EntryDetail } from './entry-detail.js'
import { FilterBar } from './filter-bar.js'

/** What the app and the emulator said to each other, newest first. console: Views, Activity */
export function ActivityView() {
  const { id } = address.value
  const entry = id === undefined ? undefined : findEntry(id)
  useEffect(() => {
    if (entry) keptEntry.value = entry
  }, [entry])
  return (
    <Split
      title="Activity"
      head={
        <Action
          label="Clear the journal"
          call={{ method: 'DELETE', path: '/_admin/requests' }}
          onDone={journal.reload}
          confirm={{
            title: 'Clear the journal',
            loses:
              'This deletes every entry, for everyone who uses this emulator. The rest of the world stays as it is.',
          }}
        />
      }
      list={
        <>
          <FilterBar />
          <Announcement />
          {missed.value !== null && (
            <p class="note warn" role="status">
              Missed {missed.value} {missed.value === 1 ? 'event' : 'events'} that arrived faster than this page could
              read. The list has been reloaded.{' '}
              <button
                type="button"
                class="small quiet"
                onClick={() => {
                  missed.value = null
                }}
              >
                Dismiss
              </button>
            </p>
          )}
          {!journal.loaded.value && <Waiting problem={journal.problem.value} />}
          {journal.loaded.value && drawn.value.length === 0 && <Nothing />}
          {drawn.value.length > 0 && <EntryTable open={id} />}
          <Pages />
        </>
      }
      detail={
        id === undefined ? undefined : entry ? (
          <EntryDetail entry={entry} />
        ) : (
          journal.loaded.value && (
            <Empty title={`Entry ${id} not found`}>
              The journal keeps only the newest entries. A reset or a restart clears it.
            </Empty>
          )
        )
      }
      onClose={() => goTo(linkTo('activity', undefined, address.value.query))}
    />
  )
}

function Nothing() {
  if (isFiltered.value) return <Empty title="No matching entries">Change or clear the filters to see more.</Empty>
  return (
    <Empty title="No requests yet" command={`curl -H 'Authorization: Bearer key_acme' ${base.href}v0/courses`}>
      Requests from your app and webhooks to it appear here as they happen. Point your app at {base.origin}, or try this
      command with an API key of your world:
    </Empty>
  )
}

/** Says counts to screen readers, never each row, and not too often. */
function Announcement() {
  const text = useSignal('')
  useEffect(() => {
    const timer = setInterval(() => {
      const refused = entries.value.filter(isTrouble).length
      text.value = `${entries.value.length} entries, ${refused} refused or failed`
    }, 5_000)
    return () => clearInterval(timer)
  }, [text])
  return (
    <p class="visually-hidden" role="status">
      {text.value}
    </p>
  )
}

function EntryTable({ open }: { open: string | undefined }) {
  const today = new Date(now.value).toISOString().slice(0, 10)
  return (
    <table class="entries">
      <caption class="visually-hidden">Requests and webhooks, newest first</caption>
      <thead>
        <tr>
          <th scope="col" class="c-status">
            Status
          </th>
          <th scope="col" class="c-time">
            Time
          </th>
          <th scope="col" class="c-way">
            <span class="visually-hidden">Direction</span>
          </th>
          <th scope="col">Request or event</th>
          <th scope="col" class="c-app">
            App
          </th>
          <th scope="col" class="c-org">
            Organization
          </th>
          <th scope="col" class="c-duration num">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {drawn.value.map((entry) => (
          <EntryRow key={entry.id} entry={entry} isOpen={String(entry.id) === open} today={today} />
        ))}
      </tbody>
    </table>
  )
}

/** Drawn again only when its properties change: @preact/signals compares them. */
function EntryRow({ entry, isOpen, today }: { entry: Entry; isOpen: boolean; today: string }) {
  const outgoing = isOutgoing(entry)
  const trouble = isTrouble(entry)
  return (
    <tr class={`${trouble ? 'trouble' : ''} ${isOpen ? 'open' : ''}`}>
      <td class="c-status">
        <HttpStatus status={entry.status} />
      </td>
      <td class="c-time" title={entry.at}>
        {dateOf(entry.at) !== today && <span class="soft">{dateOf(entry.at)} </span>}
        {timeOfDay(entry.at)}
        <span class="ms">{millisecondsOf(entry.at)}</span>
      </td>
      <td class="c-way">
        <span class={outgoing ? 'way out' : 'way in'}>{outgoing ? 'out' : 'in'}</span>
      </td>
      <td class="c-what">
        <RowLink entry={entry} isOpen={isOpen}>
          <b class="method">{outgoing ? eventOf(entry) : entry.method}</b>{' '}
          <span class="path">{pathOfEntry(entry)}</span>
        </RowLink>
        {entry.fault && <span class="tag warn">fault</span>}
        {entry.warnings.length > 0 && (
          <span class="tag warn">
            {entry.warnings.length} {entry.warnings.length === 1 ? 'warning' : 'warnings'}
          </span>
        )}
        {entry.reason && trouble && <div class="why">{entry.reason}</div>}
      </td>
      <td class="c-app">{entry.app}</td>
      <td class="c-org">{entry.organization}</td>
      <td class="c-duration num">{durationOf(entry.duration)}</td>
    </tr>
  )
}

function RowLink({ entry, isOpen, children }: { entry: Entry; isOpen: boolean; children: preact.ComponentChildren }) {
  return (
    <a
      data-row
      href={linkTo('activity', entry.id, address.value.query)}
      aria-current={isOpen ? 'true' : undefined}
      onFocus={() => {
        keptEntry.value = entry
      }}
    >
      {children}
    </a>
  )
}

function Pages() {
  const all = matching.value.length
  const first = firstDrawn.value
  if (all <= DRAWN && first === 0) return null
  const last = Math.min(first + DRAWN, all)
  return (
    <nav class="pages" aria-label="Parts of the list">
      <button
        type="button"
        class="small quiet"
        disabled={first === 0}
        onClick={() => {
          firstDrawn.value = Math.max(0, first - DRAWN)
        }}
      >
        Newer
      </button>
      <span class="soft num">
        {first + 1} to {last} of {all}
      </span>
      <button
        type="button"
        class="small quiet"
        disabled={last >= all}
        onClick={() => {
          firstDrawn.value = first + DRAWN
        }}
      >
        Older
      </button>
    </nav>
  )
}
