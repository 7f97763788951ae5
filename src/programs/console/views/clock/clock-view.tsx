import { linkTo } from '../../address.js'
import { useList } from '../../api/resource.js'
import type { Fault, Token } from '../../api/shapes.js'
import { clock, isOtherTime, now, nowText, spanOf } from '../../emulator-time.js'
import { Action } from '../../parts/action.js'
import { ActionsHead } from '../../parts/actions-head.js'
import { Moment } from '../../parts/facts.js'
import { FormAction, given } from '../../parts/form-action.js'
import { Status } from '../../parts/status.js'
import { deliveries, isWaiting } from '../deliveries/delivery-list.js'

const advance = (by: string | number) => ({ method: 'POST' as const, path: '/_admin/clock/advance', body: { by } })
const steps: [string, string][] = [
  ['1 min', '1m'],
  ['10 min', '10m'],
  ['1 h', '1h'],
  ['1 d', '1d'],
  ['30 d', '30d'],
]
/** So much of what falls due is shown. */
const SHOWN = 20

/** The emulator's time, and what it brings. console: Views, Clock */
export function ClockView() {
  const state = clock.value
  const frozen = state?.frozen ?? false
  return (
    <section class="single" aria-label="Clock">
      <div class="head">
        <h1>Clock</h1>
      </div>
      <p class="big num">
        <time dateTime={new Date(now.value).toISOString()}>{nowText.value}</time> <span class="soft">UTC</span>
      </p>
      <p class="line">
        {frozen ? <Status tone="warn">stopped</Status> : <Status tone="good">running</Status>}{' '}
        {isOtherTime.value && <span class="soft">{difference(now.value - Date.now())}</span>}
      </p>
      <div class="toolbar">
        {frozen ? (
          <Action label="Resume" call={{ method: 'POST', path: '/_admin/clock/resume' }} />
        ) : (
          <Action label="Freeze" call={{ method: 'POST', path: '/_admin/clock/freeze' }} />
        )}
        <FormAction
          label="Freeze at…"
          title="Freeze the clock at a time"
          small
          quiet
          submit="Freeze"
          initial={{ at: new Date(Math.floor(now.value / 1000) * 1000).toISOString() }}
          fields={() => [{ name: 'at', label: 'Time', required: true, hint: 'ISO 8601, with Z or an offset.' }]}
          call={({ at }) => ({ method: 'POST', path: '/_admin/clock/freeze', body: given({ at }) })}
        />
      </div>
      <h2>Advance</h2>
      <p class="soft">
        Everything that falls due on the way happens before the call returns, such as webhook retries and token expiry.
      </p>
      <div class="toolbar">
        {steps.map(([label, by]) => (
          <Action key={by} label={label} what={`Advance by ${label}`} call={advance(by)} />
        ))}
        <FormAction
          label="Other…"
          title="Advance the clock"
          small
          quiet
          submit="Advance"
          initial={{ by: '61m' }}
          fields={() => [{ name: 'by', label: 'By', required: true, hint: '90s, 61m, 1h, 30d, or milliseconds.' }]}
          call={({ by = '' }) => advance(/^\d+$/.test(by) ? Number(by) : by)}
        />
      </div>
      <h2>What falls due next</h2>
      <Due />
      <p class="soft">Offset from this machine’s clock: {state?.offset ?? 0} ms</p>
    </section>
  )
}

const difference = (ms: number) =>
  ms < 0 ? `${spanOf(-ms)} behind this machine` : `${spanOf(ms)} ahead of this machine`

/** Retries, ends of tokens and of faults, soonest first. */
function Due() {
  const { items: tokens } = useList<Token>('/_admin/tokens?state=active', ['tokens', 'clock'])
  const { items: faults } = useList<Fault>('/_admin/faults', ['faults'])
  const due = [
    ...deliveries.value.flatMap((delivery) =>
      isWaiting(delivery) && delivery.due_at
        ? [
            {
              key: delivery.id,
              at: delivery.due_at,
              what: `next attempt of ${delivery.event.type} to ${delivery.organization}`,
              link: linkTo('deliveries', delivery.id),
            },
          ]
        : [],
    ),
    ...tokens.map((token) => ({
      key: token.id,
      at: token.expires_at,
      what: `${token.kind} token …${token.last_four} of ${token.app} in ${token.organization} expires`,
      link: linkTo('installations', token.installation),
    })),
    ...faults.flatMap((fault) =>
      fault.expires_at
        ? [{ key: fault.id, at: fault.expires_at, what: 'a fault expires', link: linkTo('faults', fault.id) }]
        : [],
    ),
  ]
    .filter(({ at }) => Date.parse(at) > now.value)
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  if (due.length === 0) return <p class="soft">Nothing. No retry is due and no token is active.</p>
  return (
    <>
      <table class="stack">
        <caption class="visually-hidden">What falls due, soonest first</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {due.slice(0, SHOWN).map(({ key, at, what, link }) => (
            <tr key={key}>
              <td>
                <Moment at={at} />
              </td>
              <td class="c-what">
                <a data-row href={link}>
                  {what}
                </a>
              </td>
              <td class="c-actions">
                <Action
                  label="Advance to it"
                  what={`Advance to it: ${what}`}
                  call={advance(Math.ceil(Math.max(1, Date.parse(at) - now.value)))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {due.length > SHOWN && <p class="soft">And {due.length - SHOWN} more.</p>}
    </>
  )
}
