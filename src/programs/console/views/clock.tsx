import { type Clock, callOf } from '../api/call.js'
import { advanceTo, clock, formatSpan, now, nowIn, nowText, remaining, textOfTime } from '../api/clock.js'
import { useList } from '../api/resource.js'
import { Action } from '../components/action.js'
import { linkTo } from '../components/address.js'
import { Moment, recordLink, Status } from '../components/facts.js'
import { FormAction } from '../components/form.js'
import { actions, type Column, column, List, SingleView } from '../components/list.js'
import { isWaiting } from './deliveries.js'
import { deliveries } from './delivery-list.js'

/** The steps of the clock, as the call takes them without the blank. */
const steps = ['1 m', '10 m', '1 h', '1 d', '30 d']

/** The emulator's time, and events that are due. console: Views, Clock */
export function ClockView() {
  const { frozen = false, organizations = [] } = clock.value ?? {}
  const ahead = now.value - Date.now()
  const due = useDueEvents()
  return (
    <SingleView title="Clock">
      <p class="big">
        <time dateTime={new Date(now.value).toISOString()}>{nowText.value}</time>
      </p>
      <p class="line">
        <ClockState frozen={frozen} />{' '}
        {Math.abs(ahead) > 2_000 && (
          <span class="soft">
            {formatSpan(Math.abs(ahead))} {ahead < 0 ? 'behind' : 'ahead of'} this machine
          </span>
        )}
      </p>
      <div class="toolbar">
        <Toggle frozen={frozen} />
        <FormAction
          label="Freeze at…"
          title="Freeze the clock at a time"
          call="freezeClock"
          initial={{ at: new Date(Math.floor(now.value / 1000) * 1000).toISOString() }}
        />
      </div>
      <h2>Advance</h2>
      <p class="soft">Retries that fall due happen before the call returns.</p>
      <div class="toolbar">
        {steps.map((step) => (
          <Action
            key={step}
            label={step}
            what={`Advance by ${step}`}
            call={callOf('advanceClock', { body: { by: step.replace(' ', '') as '1m' } })}
          />
        ))}
        <FormAction label="Other…" title="Advance the clock" call="advanceClock" initial={{ by: '61m' }} />
      </div>
      {organizations.length > 0 && (
        <>
          <h2>Organizations with a clock of their own</h2>
          <List
            caption="Clocks of organizations"
            class="stack"
            columns={ownColumns}
            items={organizations}
            keyOf={({ organization }) => organization}
          />
        </>
      )}
      <h2>What falls due next</h2>
      <List
        caption="What falls due, soonest first"
        class="stack"
        columns={dueColumns}
        {...due}
        limit={20}
        empty={<p class="soft">Nothing. No retry is due and no token is active.</p>}
      />
    </SingleView>
  )
}

const ClockState = ({ frozen }: { frozen: boolean }) =>
  frozen ? <Status tone="warn">stopped</Status> : <Status tone="good">running</Status>

/** Stops a clock, or lets it run again. @param of the organization whose own clock it is. */
function Toggle({ frozen, of: organization }: { frozen: boolean; of?: string | undefined }) {
  const label = frozen ? 'Resume' : 'Freeze'
  return (
    <Action
      label={label}
      what={organization && `${label} the clock of ${organization}`}
      call={callOf(frozen ? 'resumeClock' : 'freezeClock', organization ? { body: { organization } } : {})}
    />
  )
}

const ownColumns: Column<Clock['organizations'][number]>[] = [
  column('Organization', 'c-what', ({ organization }) => recordLink('organizations', organization)),
  column('Time', '', ({ organization }) => textOfTime(nowIn(organization))),
  column('State', '', ({ frozen }) => <ClockState frozen={frozen} />),
  actions(({ organization, frozen }) => <Toggle frozen={frozen} of={organization} />),
]

/** Retries, and the expiry of tokens and faults, soonest first: each with the organization on whose clock its time is. */
function useDueEvents() {
  const tokens = useList('listTokens', { query: { state: 'active' } })
  const { items: faults } = useList('listFaults')
  const items = [
    ...deliveries.value.filter(isWaiting).map(({ id, due_at, event, organization }) => ({
      id,
      at: due_at ?? '',
      of: organization,
      what: `next attempt of ${event.type} to ${organization}`,
      link: linkTo('deliveries', id),
    })),
    ...tokens.items.map(({ id, expires_at, kind, last_four, app, organization, installation }) => ({
      id,
      at: expires_at,
      of: organization,
      what: `${kind} token …${last_four} of ${app} in ${organization} expires`,
      link: linkTo('installations', installation),
    })),
    ...faults.map(({ id, expires_at, match }) => ({
      id,
      at: expires_at ?? '',
      of: match.organization as string | undefined,
      what: 'a fault expires',
      link: linkTo('faults', id),
    })),
  ]
    .filter(({ at, of }) => remaining(at, of) > 0)
    .sort((a, b) => remaining(a.at, a.of) - remaining(b.at, b.of))
  return { ...tokens, items }
}

const dueColumns: Column<ReturnType<typeof useDueEvents>['items'][number]>[] = [
  column('When', 'nowrap', ({ at, of }) => <Moment at={at} of={of} />),
  column('What', 'c-what', ({ what, link }) => (
    <a data-row href={link}>
      {what}
    </a>
  )),
  actions(({ at, of, what }) => (
    <Action label="Advance to it" what={`Advance to it: ${what}`} call={advanceTo(at, of)} />
  )),
]
