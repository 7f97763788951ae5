import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AuditReport } from '../../audit/report.js'
import type { SweepReport } from '../../sweep/report.js'
import { commandLine } from '../api/call.js'
import { useResource } from '../api/resource.js'
import { Waiting } from '../components/action.js'
import { address, linkTo } from '../components/address.js'
import { EntryLinks, Facts, Status, scrollTo, type Tone } from '../components/facts.js'
import { Empty, SingleView } from '../components/list.js'

interface ReportViewProps<R> {
  kind: 'audit' | 'sweep'
  title: string
  about: string
  children: (report: R) => ComponentChildren
}

/** Milliseconds after which a report is read again: no event says that there is another. */
const PAUSE = 5_000

/** The last report of a command, which sends it to the emulator. sweep: Report */
export function ReportView<R extends AuditReport | SweepReport>({ kind, title, about, children }: ReportViewProps<R>) {
  const { data, problem, reload } = useResource('getReport', { params: { kind } })
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
  id: string
  tone: Tone
  verdict: string
  note?: string | undefined
  entries: number[]
  facts: Record<string, ComponentChildren>
  children?: ComponentChildren
}

/** A result with what explains it. */
export const Card = ({ id, tone, verdict, note, entries, facts, children }: CardProps) => (
  <section aria-label={id} ref={address.value.id === id ? scrollTo : undefined}>
    <h2 class="wrap">
      <Status tone={tone}>{verdict}</Status>{' '}
      <a href={linkTo(address.value.view, id)}>
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
