import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { callOf, type Finding } from '../api/call.js'
import { useList } from '../api/resource.js'
import { Action, Waiting } from '../components/action.js'
import { EntryLinks, Moment, Status } from '../components/facts.js'
import { Empty, SingleView } from '../components/list.js'

/** The check of the audit that provokes each rule: put here by the build, from the rules. */
declare const CHECKS: Record<string, string>

/** The newest journal entry of the findings that have been looked at. */
const seenUpTo = signal(0)
const newestEntry = ({ entries }: Finding) => entries.at(-1) ?? 0
const newestOf = (findings: Finding[]) => Math.max(0, ...findings.map(newestEntry))

/** Returns the number of errors that are new, or have been seen again, since this view was last open. */
export function useUnseenErrors(): number {
  const { items, ready } = useList('listFindings')
  useEffect(() => {
    // The ids of an emulator that was started again begin at 1.
    if (ready && newestOf(items) < seenUpTo.value) seenUpTo.value = 0
  }, [items])
  return items.filter((finding) => finding.level === 'error' && newestEntry(finding) > seenUpTo.value).length
}

/** Mistakes of the app, by rule. console: Views, Findings */
export function FindingsView() {
  const { items: findings, ready, problem } = useList('listFindings')
  useEffect(() => {
    seenUpTo.value = newestOf(findings)
  }, [findings])
  const byRule = [...Map.groupBy(findings, ({ rule }) => rule)]
  const rank = ([, [finding]]: (typeof byRule)[number]) => (finding?.level === 'error' ? 0 : 1)
  return (
    <SingleView
      title="Findings"
      head={
        findings.length > 0 && (
          <Action
            label="Clear the findings"
            call={callOf('clearFindings')}
            loses="This deletes every finding, for everyone who uses this emulator."
          />
        )
      }
    >
      {!ready && <Waiting problem={problem} />}
      {ready && findings.length === 0 && (
        <Empty title="No findings" command="npx mockademy exec --strict -- npm test">
          Mistakes of your app are listed here, such as accepting a forged webhook. To fail a run on them:
        </Empty>
      )}
      {byRule
        .sort((a, b) => rank(a) - rank(b))
        .map(([rule, list]) => (
          <Rule key={rule} rule={rule} findings={list} />
        ))}
    </SingleView>
  )
}

function Rule({ rule, findings }: { rule: string; findings: Finding[] }) {
  const { level, section } = findings[0] ?? {}
  const check = CHECKS[rule]
  return (
    <section aria-label={rule}>
      <h2>
        <Status tone={level === 'error' ? 'bad' : 'warn'}>{level}</Status> <code>{rule}</code>{' '}
        <span class="soft">{section}</span>{' '}
        {check && (
          <span class="soft">
            · audit: <code>{check}</code>
          </span>
        )}
      </h2>
      {findings.map((finding) => (
        <FindingCard key={`${finding.app} ${finding.organization}`} finding={finding} />
      ))}
    </section>
  )
}

function FindingCard({ finding }: { finding: Finding }) {
  const { app, organization, count, message, last_at, entries } = finding
  return (
    <div class="card">
      <p class="line">
        <b>{app ?? 'unknown client'}</b> {organization && <span class="soft">in {organization}</span>}{' '}
        <span>{count === 1 ? 'once,' : `${count} times, last`}</span> <Moment at={last_at} of={organization} />
      </p>
      <p>{message}</p>
      <EntryLinks of={entries} />
    </div>
  )
}
