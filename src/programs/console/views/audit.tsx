import type { AuditReport, CheckResult, Outcome } from '../../audit/report.js'
import { address, linkTo } from '../components/address.js'
import { Status, type Tone } from '../components/facts.js'
import { type Column, column, List } from '../components/list.js'
import { ToCopy } from '../components/message.js'
import { Card, ReportView } from './report-view.js'

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
    about="What platform, browsers and attackers do to your app, and how it responds."
  >
    {({ checks = [] }) => {
      const isTold = ({ outcome, id }: CheckResult) =>
        ['bad', 'warn'].includes(outcomeTones[outcome]) || id === address.value.id
      const rank = ({ outcome }: CheckResult) => Object.keys(outcomeTones).indexOf(outcome)
      return (
        <>
          {checks
            .filter(isTold)
            .toSorted((a, b) => rank(a) - rank(b))
            .map(({ id, title, severity, outcome, message, sent, expected, seen, source, remedy, docs, entries }) => (
              <Card
                key={id}
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
          <List caption="Checks" columns={checkColumns} items={checks} class="stack" />
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
