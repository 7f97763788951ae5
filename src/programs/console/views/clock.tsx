import { callOf } from '../api/call.js'
import { clock, isOtherTime, now, nowText, spanOf } from '../api/clock.js'
import { useList } from '../api/resource.js'
import { Action } from '../parts/action.js'
import { linkTo } from '../parts/address.js'
import { Moment, Status } from '../parts/facts.js'
import { FormAction } from '../parts/form.js'
import { actions, type Column, column, List, SingleView } from '../parts/list.js'
import { deliveries, isWaiting } from './deliveries.js'

/** The steps of the clock, with the values that the call takes. */
const steps = { '1 min': '1m', '10 min': '10m', '1 h': '1h', '1 d': '1d', '30 d': '30d' } as const

/** The emulator's time, and events that are due. console: Views, Clock */
export function ClockView() {
  const { frozen = false } = clock.value ?? {}
  const ahead = now.value - Date.now()
  return (
    <SingleView title="Clock">
      <p class="big">
        <time dateTime={new Date(now.value).toISOString()}>{nowText.value}</time>
      </p>
      <p class="line">
        {frozen ? <Status tone="warn">stopped</Status> : <Status tone="good">running</Status>}{' '}
        {isOtherTime.value && (
          <span class="soft">
            {spanOf(Math.abs(ahead))} {ahead < 0 ? 'behind' : 'ahead of'} this machine
          </span>
        )}
      </p>
      <div class="toolbar">
        {frozen ? (
          <Action label="Resume" call={callOf('resumeClock')} />
        ) : (
          <Action label="Freeze" call={callOf('freezeClock')} />
        )}
        <FormAction
          label="Freeze at…"
          title="Freeze the clock at a time"
          call="freezeClock"
          initial={{ at: new Date(Math.floor(now.value / 1000) * 1000).toISOString() }}
          fields={{ at: { label: 'Time', required: true, hint: 'ISO 8601, with Z or an offset.' } }}
        />
      </div>
      <h2>Advance</h2>
      <p class="soft">
        Everything that falls due on the way happens before the call returns, such as webhook retries and token expiry.
      </p>
      <div class="toolbar">
        {Object.entries(steps).map(([label, by]) => (
          <Action key={by} label={label} what={`Advance by ${label}`} call={callOf('advanceClock', { body: { by } })} />
        ))}
        <FormAction label="Other…" title="Advance the clock" call="advanceClock" initial={{ by: '61m' }} />
      </div>
      <h2>What falls due next</h2>
      <DueList />
    </SingleView>
  )
}

/** Something that happens when the clock reaches a time. */
interface DueEvent {
  id: string
  at: string
  what: string
  link: string
}

/** Retries, and the expiry of tokens and faults, soonest first. */
function DueList() {
  const tokens = useList('listTokens', { query: { state: 'active' } })
  const { items: faults } = useList('listFaults')
  const due = [
    ...deliveries.value.filter(isWaiting).map(({ id, due_at, event, organization }) => ({
      id,
      at: due_at,
      what: `next attempt of ${event.type} to ${organization}`,
      link: linkTo('deliveries', id),
    })),
    ...tokens.items.map(({ id, expires_at, kind, last_four, app, organization, installation }) => ({
      id,
      at: expires_at,
      what: `${kind} token …${last_four} of ${app} in ${organization} expires`,
      link: linkTo('installations', installation),
    })),
    ...faults.map(({ id, expires_at }) => ({
      id,
      at: expires_at,
      what: 'a fault expires',
      link: linkTo('faults', id),
    })),
  ]
    .filter((event): event is DueEvent => event.at !== null && Date.parse(event.at) > now.value)
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  return (
    <List
      caption="What falls due, soonest first"
      class="stack"
      columns={columns}
      {...tokens}
      items={due}
      limit={20}
      empty={<p class="soft">Nothing. No retry is due and no token is active.</p>}
    />
  )
}

const columns: Column<DueEvent>[] = [
  column('When', 'nowrap', ({ at }) => <Moment at={at} />),
  column('What', 'c-what', ({ what, link }) => (
    <a data-row href={link}>
      {what}
    </a>
  )),
  actions(({ at, what }) => (
    <Action
      label="Advance to it"
      what={`Advance to it: ${what}`}
      call={callOf('advanceClock', { body: { by: Math.ceil(Math.max(1, Date.parse(at) - now.value)) } })}
    />
  )),
]
