import { type Clock, withNpx } from '../api/call.js'
import { clock, dateTime, nowText } from '../api/clock.js'
import { report } from '../api/report.js'
import { useResource } from '../api/resource.js'
import { Facts, Note } from '../components/facts.js'
import { type Column, column, List, SingleView } from '../components/list.js'
import { ToCopy } from '../components/message.js'
import { Settings } from './world.js'

/** Says what the report lacks for its size; nothing for a whole one. coverage: The run report */
export const CutNote = () => (
  <Note tone="warn" title="Cut to 5 MB">
    {[
      report?.body_limit != null &&
        `Of each body the first ${report.body_limit.toLocaleString('en')} characters are kept.`,
      report?.left_out && `The oldest ${report.left_out.toLocaleString('en')} exchanges are left out.`,
    ]
      .filter(Boolean)
      .join(' ')}
  </Note>
)

/** A run as a whole: how it ended, how to repeat it, and under which settings. Only in reports. */
export function RunView() {
  const { data: world } = useResource('world')
  const { title, command, result } = report ?? {}
  const { counts = {}, start_counts = {} } = world ?? {}
  const recordColumns: Column<[name: string, count: number]>[] = [
    column('Records', 'c-what', ([name]) => name),
    column('Before', 'num', ([name]) => start_counts[name]),
    column('After', 'num', ([, count]) => count),
  ]
  const moveColumns: Column<NonNullable<Clock['moves']>[number]>[] = [
    column('Move', '', ({ kind }) => kind),
    column('Of', 'c-what', ({ organization }) => organization ?? 'every organization'),
    column('From', '', ({ from }) => dateTime(from)),
    column('To', '', ({ to }) => dateTime(to)),
  ]
  return (
    <SingleView title={title ?? 'Run'}>
      <CutNote />
      <Facts
        of={{
          Result: result,
          'Run it again': command && <ToCopy text={withNpx(command)} />,
          Seed: world?.settings.seed,
          Version: world?.version,
          'Emulator’s time': nowText.value,
        }}
      />
      <h2>Records</h2>
      <List
        caption="Records before and after"
        columns={recordColumns}
        items={Object.entries(counts)}
        keyOf={([name]) => name}
      />
      <h2>Moves of the clock</h2>
      <List
        caption="Moves of the clock, oldest first"
        columns={moveColumns}
        items={clock.value?.moves ?? []}
        keyOf={(move) => move.from + move.to}
        empty={<p class="soft">None.</p>}
      />
      {world && <Settings world={world} />}
    </SingleView>
  )
}
