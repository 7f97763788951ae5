import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AuditReport, CheckResult, Outcome } from '../../audit/report.js'
import type { CaseResult, FlowResult, SweepReport, VerdictName } from '../../sweep/report.js'
import { commandLine } from '../api/call.js'
import { useResource } from '../api/resource.js'
import { address, linkTo } from '../parts/address.js'
import { Chip, EntryLinks, Facts, Status, scrollTo, type Tone } from '../parts/facts.js'
import { type Column, column, Empty, List, SingleView, ToCopy, Waiting } from '../parts/list.js'
import { countOf, TextBox } from '../parts/message.js'

interface ReportViewProps<R> {
  kind: 'audit' | 'sweep'
  title: string
  about: string
  children: (report: R) => ComponentChildren
}

/** Milliseconds after which a report is read again: no event says that there is another. */
const PAUSE = 5_000

/** The last report of a command, which sends it to the emulator. sweep: Report */
function ReportView<R extends AuditReport | SweepReport>({ kind, title, about, children }: ReportViewProps<R>) {
  const { data, problem, reload } = useResource('getReport', { params: { kind } }, [])
  useEffect(() => {
    const timer = setInterval(reload, PAUSE)
    return () => clearInterval(timer)
  }, [reload])
  const report = data as R | undefined
  return (
    <SingleView title={title}>
      {problem?.status === 404 ? (
        <Empty title="No report yet" command={commandLine(kind)}>
          {about} Its last report appears here.
        </Empty>
      ) : !report || problem ? (
        <Waiting problem={problem} />
      ) : (
        <>
          <p class="line">
            <Status tone={report.passed ? 'good' : 'bad'}>
              <b>{report.app}</b> {report.passed ? 'passed' : 'did not pass'}
            </Status>
            <span class="soft">
              {Object.entries(report.summary ?? {})
                .filter(([, count]) => count > 0)
                .map(([name, count]) => `${count} ${name}`)
                .join(', ')}
            </span>
          </p>
          {children(report)}
        </>
      )}
    </SingleView>
  )
}

interface CardProps {
  view: string
  id: string
  tone: Tone
  verdict: string
  note?: string | undefined
  entries: number[]
  facts: Record<string, ComponentChildren>
  children?: ComponentChildren
}

/** A result with what explains it. */
const Card = ({ view, id, tone, verdict, note, entries, facts, children }: CardProps) => (
  <section aria-label={id} ref={address.value.id === id ? scrollTo : undefined}>
    <h2 class="wrap">
      <Status tone={tone}>{verdict}</Status>{' '}
      <a href={linkTo(view, id)}>
        <code>{id}</code>
      </a>{' '}
      <span class="soft">{note}</span>
    </h2>
    <div class="card">
      <Facts of={facts} />
      {children}
      <EntryLinks of={entries} />
    </div>
  </section>
)

const outcomeTones: Record<Outcome, Tone> = {
  fail: 'bad',
  inconclusive: 'warn',
  warn: 'warn',
  accepted: 'plain',
  pass: 'good',
  skip: 'plain',
}

/** The last audit: what did not pass with everything that explains it, then the rest. audit: rule 5 */
export const AuditView = () => (
  <ReportView<AuditReport>
    kind="audit"
    title="Audit"
    about="The audit does to your app what the platform, browsers and attackers do, and judges how it responds."
  >
    {({ checks = [] }) => {
      const isTold = ({ outcome, id }: CheckResult) =>
        outcomeTones[outcome] in { bad: 1, warn: 1 } || id === address.value.id
      const rank = ({ outcome }: CheckResult) => Object.keys(outcomeTones).indexOf(outcome)
      return (
        <>
          {checks
            .filter(isTold)
            .toSorted((a, b) => rank(a) - rank(b))
            .map(({ id, title, severity, outcome, message, sent, expected, seen, source, remedy, docs, entries }) => (
              <Card
                key={id}
                view="audit"
                id={id}
                tone={outcomeTones[outcome]}
                verdict={outcome}
                note={severity}
                entries={entries}
                facts={{
                  Check: <a href={docs}>{title}</a>,
                  Result: <b>{message}</b>,
                  Sent: sent && <ToCopy text={sent} />,
                  Expected: expected,
                  Seen: seen,
                  Fix: remedy,
                  Rule: source,
                }}
              />
            ))}
          <h2>All checks</h2>
          <List caption="Checks" columns={checkColumns} items={checks} keyOf={({ id }) => id} class="stack" />
        </>
      )
    }}
  </ReportView>
)

const checkColumns: Column<CheckResult>[] = [
  column('Result', '', ({ outcome }) => <Status tone={outcomeTones[outcome]}>{outcome}</Status>),
  column('Check', 'c-what', ({ id }) => (
    <a data-row href={linkTo('audit', id)}>
      <code>{id}</code>
    </a>
  )),
  column('Message', 'wrap', ({ message }) => message),
]

/** Every verdict with its sign and its tone. sweep: One case */
const verdicts: Record<VerdictName, [sign: string, tone: Tone]> = {
  unharmed: ['·', 'plain'],
  healed: ['~', 'good'],
  reinstalled: ['+', 'good'],
  stranded: ['✗', 'bad'],
  harmful: ['!', 'bad'],
  unbroken: ['?', 'plain'],
}

/** An accepted case fails when it is well again. sweep: One case */
const fails = ({ verdict, accepted }: CaseResult) =>
  verdict !== 'unbroken' && (verdicts[verdict][1] === 'bad') === (accepted === undefined)

/** The reasons of an early end, in words. */
const ends: Record<NonNullable<SweepReport['ended']>, string> = {
  interrupted: 'it was interrupted',
  bail: 'a case failed, and it was to end at the first failure',
  budget: 'its time was over',
}

/** Returns the case that is shown for this one: another that fails for the same reason, or itself. */
const shownAs = (each: CaseResult, cases: CaseResult[]): CaseResult =>
  cases.find(({ origins }) => origins?.includes(each.id)) ?? each

/** The last sweep: what became of each trouble at each point, and the failures in words. sweep: Report */
export const SweepView = () => (
  <ReportView<SweepReport>
    kind="sweep"
    title="Sweep"
    about="The sweep runs the flows of your app again and again, each time with one thing going wrong, and shows what does not heal."
  >
    {({ flows = [], skipped = [], ended }) => (
      <>
        {ended && <p class="note warn">It ended early: {ends[ended] ?? ended}.</p>}
        <p class="soft">
          {Object.entries(verdicts)
            .map(([verdict, [sign]]) => `${sign} ${verdict}`)
            .join(', ')}
        </p>
        {flows.map((flow) => (
          <FlowMatrix key={flow.flow} flow={flow} />
        ))}
        {skipped.map(({ flow, reason }) => (
          <p key={flow} class="soft">
            {flow}: left out, because {reason}
          </p>
        ))}
        {flows.flatMap(({ cases }) =>
          cases
            .filter((each) => fails(each) && shownAs(each, cases) === each)
            .map((each) => <FailedCase key={each.id} of={each} />),
        )}
      </>
    )}
  </ReportView>
)

function FlowMatrix({ flow: { flow, points, unstable, cases } }: { flow: FlowResult }) {
  const columns: Column<string>[] = [
    column('Point', 'c-row', (point) => <code>{point}</code>),
    column('Troubles', 'c-what', (point) =>
      cases
        .filter(({ id }) => id.startsWith(`${flow}/${point}/`))
        .map((each) => {
          const { id, verdict, entries } = each
          const [sign, tone] = verdicts[verdict]
          const newest = entries.at(-1)
          const href = fails(each) ? linkTo('sweep', shownAs(each, cases).id) : newest && linkTo('activity', newest)
          return (
            <Chip key={id} tone={fails(each) ? 'bad' : tone} sign={sign} href={href || undefined} verdict={verdict}>
              {id.slice(id.lastIndexOf('/') + 1)}
            </Chip>
          )
        }),
    ),
  ]
  return (
    <>
      <h2>{flow}</h2>
      <List
        caption={`Sweep: ${flow}`}
        class="stack chips"
        columns={columns}
        items={points}
        keyOf={(point) => point}
        empty={<p class="soft">No points.</p>}
      />
      {unstable.length > 0 && <p class="soft">Not in both undisturbed runs: {unstable.join(', ')}</p>}
    </>
  )
}

function FailedCase({ of }: { of: CaseResult }) {
  const { id, verdict, trouble, message, steps, entries, expected, rule, scenario, origins = [], flaky, accepted } = of
  const text = steps.map(({ step, seen, journal }) => [`${step}: ${seen}`, ...journal].join('\n  ')).join('\n')
  return (
    <Card
      view="sweep"
      id={id}
      tone="bad"
      verdict={verdict}
      note={flaky && 'flaky'}
      entries={entries}
      facts={{
        Broken: trouble,
        State: <b>{message}</b>,
        Expected: expected,
        Rule: rule,
        Flaky: flaky,
        Accepted: accepted && `${accepted} It is well again: remove it from "accept".`,
        Scenario: scenario && <ToCopy text={commandLine(`scenario run ${scenario}`)} />,
        'The same': origins.length > 0 && `${countOf(origins.length, 'case')}: ${origins.join(', ')}`,
      }}
    >
      {text && <TextBox text={text} label={`Steps of ${id}`} />}
    </Card>
  )
}
