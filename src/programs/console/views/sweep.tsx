import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import { pluralize } from '../../reports/pluralize.js'
import type { CaseResult, FlowResult, SweepReport, VerdictName } from '../../sweep/report.js'
import { fails, verdicts } from '../../sweep/report.js'
import { commandLine } from '../api/call.js'
import { linkTo } from '../components/address.js'
import { Chip, type Tone } from '../components/facts.js'
import { type Column, column, List } from '../components/list.js'
import { TextBox, ToCopy } from '../components/message.js'
import { Card, ReportView } from './report-view.js'

const tones = { pass: 'good', fail: 'bad', skip: 'plain' } as const

const toneOf = (verdict: VerdictName): Tone => (verdict === 'unharmed' ? 'plain' : tones[verdicts[verdict].status])

/** The reasons of an early end, in words. */
const ends: Record<NonNullable<SweepReport['ended']>, string> = {
  interrupted: 'it was interrupted',
  bail: 'a case failed, and it was to end at the first failure',
  budget: 'its time was over',
  'app-ended': 'a case ended the app',
}

/** Returns the case that is shown for this one: another that fails for the same reason, or itself. */
const shownAs = (each: CaseResult, cases: CaseResult[]): CaseResult =>
  cases.find(({ origins }) => origins?.includes(each.id)) ?? each

/** The last sweep: what became of each trouble at each point, and the failures in words. sweep: Report */
export const SweepView = () => (
  <ReportView<SweepReport>
    kind="sweep"
    title="Sweep"
    about="The sweep repeats the flows of your app with one failure each time, and shows what does not recover."
  >
    {({ flows = [], skipped = [], ended }) => (
      <>
        {ended && <p class="note warn">It ended early: {ends[ended] ?? ended}.</p>}
        <p class="soft">
          {Object.entries(verdicts)
            .map(([verdict, { sign }]) => `${sign} ${verdict}`)
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
          const tone = fails(each) ? 'bad' : toneOf(verdict)
          const newest = entries.at(-1)
          const href = fails(each) ? linkTo('sweep', shownAs(each, cases).id) : newest && linkTo('activity', newest)
          return (
            <Chip key={id} tone={tone} sign={verdicts[verdict].sign} href={href || undefined} verdict={verdict}>
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
        Accepted: accepted && `${accepted} It passes now: remove it from "accept".`,
        Scenario: scenario && <ToCopy text={commandLine(`scenario run ${shellQuoted(scenario)}`)} />,
        'The same': origins.length > 0 && `${pluralize(origins.length, 'case')}: ${origins.join(', ')}`,
      }}
    >
      {text && <TextBox text={text} label={`Steps of ${id}`} />}
    </Card>
  )
}
