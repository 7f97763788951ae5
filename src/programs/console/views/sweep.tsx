import { pluralize } from '../../reports/pluralize.js'
import type { CaseResult, FlowResult, SweepReport } from '../../sweep/report.js'
import { casesOf, ends, fails, hasFailed, repeatCommand, shownFor, verdicts } from '../../sweep/report.js'
import { reach, withNpx } from '../api/call.js'
import { linkTo } from '../components/address.js'
import { Chip, type Tone } from '../components/facts.js'
import { type Column, column, List } from '../components/list.js'
import { TextBox, ToCopy } from '../components/message.js'
import { Card, ReportView } from './report-view.js'

const isGood = ({ verdict }: CaseResult) => verdict === 'healed' || verdict === 'reinstalled'

const toneOf = (result: CaseResult): Tone => (fails(result) ? 'bad' : isGood(result) ? 'good' : 'plain')

/** Returns true for a case that has a card: a failure, also an accepted one. */
const hasCard = (result: CaseResult) => hasFailed(result) || fails(result)

/** The command of the last sweep, so far as the page knows it. */
const again = { run: `mockademy sweep${reach}`, reach }

/** The last sweep: what became of each trouble at each point, and the failures in words. sweep: Report */
export const SweepView = () => (
  <ReportView<SweepReport>
    kind="sweep"
    title="Sweep"
    about="Your app's flows with one failure each; what does not recover."
  >
    {({ flows = [], skipped = [], ended }) => {
      const cases = casesOf({ flows })
      return (
        <>
          {ended && <p class="note warn">It ended early ({ends[ended]}).</p>}
          <p class="soft">
            {Object.entries(verdicts)
              .map(([verdict, { sign }]) => `${sign} ${verdict}`)
              .join(', ')}
          </p>
          {flows.map((flow) => (
            <FlowMatrix key={flow.flow} flow={flow} all={cases} />
          ))}
          {skipped.map(({ flow, reason }) => (
            <p key={flow} class="soft">
              {flow}: left out, because {reason}
            </p>
          ))}
          {cases
            .filter((each) => hasCard(each) && shownFor(each, cases) === each)
            .map((each) => (
              <FailedCase key={each.id} of={each} />
            ))}
        </>
      )
    }}
  </ReportView>
)

/** One flow. @param all the cases of all flows. */
function FlowMatrix({ flow: { flow, points, unstable, cases }, all }: { flow: FlowResult; all: CaseResult[] }) {
  const columns: Column<string>[] = [
    column('Point', 'c-row', (point) => <code>{point}</code>),
    column('Troubles', 'c-what', (point) =>
      cases
        .filter(({ id }) => id.startsWith(`${flow}/${point}/`))
        .map((each) => {
          const { id, verdict, entries } = each
          const newest = entries.at(-1)
          const href = hasCard(each) ? linkTo('sweep', shownFor(each, all).id) : newest && linkTo('activity', newest)
          return (
            <Chip key={id} tone={toneOf(each)} sign={verdicts[verdict].sign} href={href || undefined} verdict={verdict}>
              {id.slice(id.lastIndexOf('/') + 1)}
              {hasFailed(each) && !fails(each) && ' · accepted'}
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
  const { id, verdict, trouble, message, steps, entries, expected, rule, origins = [], flaky, accepted } = of
  const text = steps.map(({ step, seen, journal }) => [`${step}: ${seen}`, ...journal].join('\n  ')).join('\n')
  return (
    <Card
      id={id}
      tone={toneOf(of)}
      verdict={verdict}
      note={flaky && 'flaky'}
      entries={entries}
      facts={{
        Broken: trouble,
        State: <b>{message}</b>,
        Expected: expected,
        Rule: rule,
        Flaky: flaky,
        Accepted: accepted && (fails(of) ? `${accepted}. It passes now: remove it from "accept".` : accepted),
        Again: <ToCopy text={withNpx(repeatCommand(of, again))} />,
        Also: origins.length > 0 && `${pluralize(origins.length, 'case')}: ${origins.join(', ')}`,
      }}
    >
      {text && <TextBox text={text} label={`Steps of ${id}`} />}
    </Card>
  )
}
