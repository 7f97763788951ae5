import { capitalized } from '../../reports/capitalized.js'
import { percentOf } from '../../reports/percent.js'
import { type Coverage, createCommand, withNpx } from '../api/call.js'
import { report } from '../api/report.js'
import { useList, useResource } from '../api/resource.js'
import { Waiting } from '../components/action.js'
import { address, linkTo, queryValue } from '../components/address.js'
import { Chip, scrollTo } from '../components/facts.js'
import { FilterSelect } from '../components/filters.js'
import { type Column, column, Empty, List, SingleView } from '../components/list.js'
import { ToCopy } from '../components/message.js'

type Group = Coverage['groups'][number]
type Row = Group['rows'][number]
type Cell = Row['cells'][number]

const titles: Record<string, string> = {
  api: 'API',
  life: 'Install and uninstall',
  shapes: 'Shapes of responses',
}

/** The behaviors of the platform that an app has met, and the line that closes each gap. coverage: Coverage */
export function CoverageView() {
  const app = queryValue('app')
  const { items: apps } = useList('listApps')
  const { data: coverage, problem } = useResource('getCoverage', app ? { query: { app } } : {})
  return (
    <SingleView
      title="Coverage"
      head={
        apps.length > 0 && (
          <FilterSelect name="app" label="App" any="First app" options={apps.map(({ id, name }) => [id, name])} />
        )
      }
    >
      {coverage ? (
        <>
          <p class="big">{percentOf(coverage.figure)} %</p>
          <p class="soft">
            {coverage.app} has met {coverage.met} of {coverage.countable} behaviors of the platform{' '}
            {report ? 'in this run' : 'since the journal was cleared'}. Select another to see the command that makes it
            happen.
          </p>
          {coverage.groups.map((group) => (
            <GroupTable key={group.group} group={group} />
          ))}
        </>
      ) : problem?.status === 404 && !app ? (
        <Empty title="No apps yet" command={createCommand}>
          Coverage lists what an app has met of the platform.
        </Empty>
      ) : (
        <Waiting problem={problem} />
      )}
    </SingleView>
  )
}

function GroupTable({ group }: { group: Group }) {
  const { group: name, rows, met, countable } = group
  if (rows.length === 0) return null
  const title = titles[name] ?? capitalized(name)
  const columns: Column<Row>[] = [
    column(title, 'c-row', ({ row }) => <code>{row}</code>),
    column('Met', 'num', ({ cells }) => `${cells.filter(({ met }) => met).length} of ${cells.length}`),
    column('By audit', 'num', ({ cells }) => cells.filter(({ by_audit }) => by_audit > 0).length || ''),
    column('Behaviors', 'c-what', ({ row, cells }) => <Cells place={`${name}/${row}`} cells={cells} />),
  ]
  return (
    <>
      <h2>
        {title} <span class="soft">{`${percentOf(group.figure)} %, ${met} of ${countable} met`}</span>
      </h2>
      <List
        caption={`Coverage: ${title}`}
        class="stack chips"
        columns={columns}
        items={rows}
        keyOf={({ row }) => row}
      />
    </>
  )
}

/** The cells of a row, each a link to its newest entry or to its line, and the line that is open. */
function Cells({ place, cells }: { place: string; cells: Cell[] }) {
  const { id, query } = address.value
  const open = cells.find(({ column, closes }) => closes && id === `${place}/${column}`)
  return (
    <>
      {cells.map((cell) => {
        const { column, met, count, by_audit, entry } = cell
        const line = linkTo('coverage', cell === open ? undefined : `${place}/${column}`, query)
        const newest = entry === null ? undefined : linkTo('activity', entry)
        return (
          <Chip
            key={column}
            tone={met ? 'good' : 'plain'}
            sign={met ? '✓' : '○'}
            href={met ? newest : line}
            verdict={met ? 'met' : 'not met'}
            isOpen={cell === open}
          >
            {column}
            {count > 1 && ` ${count}`}
            {by_audit > 0 && ` · audit ${by_audit}`}
          </Chip>
        )
      })}
      {open?.closes && (
        <div ref={scrollTo}>
          <ToCopy text={withNpx(open.closes)} />
        </div>
      )}
    </>
  )
}
