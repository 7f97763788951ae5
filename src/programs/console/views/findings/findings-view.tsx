import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type RuleName, ruleOf } from '../../../../control/findings/rules.js'
import type { Finding } from '../../../../emulator/world/parts.js'
import { linkTo } from '../../address.js'
import { useResource } from '../../api/resource.js'
import type { List } from '../../api/shapes.js'
import { onEvent } from '../../live/connection.js'
import { Action } from '../../parts/action.js'
import { Empty, Waiting } from '../../parts/empty.js'
import { Moment } from '../../parts/facts.js'
import { Status } from '../../parts/status.js'

const PATH = '/_admin/findings'
/** The newest entries of a finding that are linked to. */
const LINKED = 8

/** What the app did that it should not, by rule. console: Views, Findings */
export function FindingsView() {
  const { data, problem, reload } = useResource<List<Finding>>(PATH, [])
  useEffect(() => onEvent('finding', () => soon(reload)), [reload])
  const findings = data.value?.data ?? []
  // An emulator that judges nothing has found nothing.
  const ready = data.value !== undefined || problem.value?.status === 404
  const byRule = Map.groupBy(findings, ({ rule }) => rule)
  const sorted = [...byRule].sort(([, [a]], [, [b]]) => (a?.level === b?.level ? 0 : a?.level === 'error' ? -1 : 1))
  return (
    <section class="single" aria-label="Findings">
      <div class="head">
        <h1>Findings</h1>
        {findings.length > 0 && (
          <Action label="Clear the findings" call={{ method: 'DELETE', path: PATH }} onDone={reload} />
        )}
      </div>
      {!ready && <Waiting problem={problem.value} />}
      {ready && findings.length === 0 && (
        <Empty title="No findings" command="mockademy exec --strict -- npm test">
          Mistakes that your app makes are listed here, such as refreshing a token too early or accepting a forged
          webhook. To fail a test run on them:
        </Empty>
      )}
      {sorted.map(([rule, list]) => (
        <section key={rule} class="finding" aria-label={rule}>
          <h2>
            <Status tone={list[0]?.level === 'error' ? 'bad' : 'warn'}>{list[0]?.level}</Status> <code>{rule}</code>{' '}
            <span class="soft">{list[0]?.section}</span> <AuditCheck rule={rule as RuleName} />
          </h2>
          {list.map((finding) => (
            <OneFinding key={`${finding.app} ${finding.organization}`} finding={finding} />
          ))}
        </section>
      ))}
    </section>
  )
}

/** The check of the audit that provokes it. */
function AuditCheck({ rule }: { rule: RuleName }) {
  const { check } = ruleOf(rule)
  return check ? (
    <span class="soft">
      · audit: <code>{check}</code>
    </span>
  ) : null
}

function OneFinding({ finding }: { finding: Finding }) {
  const { app, organization, count, message, last_at, entries } = finding
  return (
    <div class="card">
      <p class="line">
        <b>{app ?? 'unknown client'}</b> {organization && <span class="soft">in {organization}</span>}{' '}
        <span class="num">{count === 1 ? 'once,' : `${count} times, last`}</span> <Moment at={last_at} />
      </p>
      <p>{message}</p>
      <p class="line">
        {entries.slice(-LINKED).map((id) => (
          <a key={id} class="tag" href={linkTo('activity', id)}>
            entry {id}
          </a>
        ))}
        {entries.length > LINKED && <span class="soft">and {entries.length - LINKED} earlier</span>}
      </p>
    </div>
  )
}

const waiting = signal(false)

/** Many findings at once are one reading. */
function soon(reload: () => void): void {
  if (waiting.value) return
  waiting.value = true
  setTimeout(() => {
    waiting.value = false
    reload()
  }, 300)
}
