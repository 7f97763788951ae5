import { clock, dateTime, nowText } from '../api/clock.js'
import { report } from '../api/report.js'
import { useResource } from '../api/resource.js'
import { Facts, Note } from '../parts/facts.js'
import { List, SingleView, ToCopy } from '../parts/list.js'
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
  const world = useResource('world').data.value
  const { title, command, result } = report ?? {}
  const { settings = {}, counts = {}, start_counts = {} } = world ?? {}
  return (
    <SingleView title={title ?? 'Run'}>
      <CutNote />
      <Facts
        of={{
          Result: result,
          'Run it again': command && <ToCopy text={command} />,
          Seed: settings.seed as string,
          Version: world?.version,
          'Emulator’s time': `${nowText.value} UTC`,
        }}
      />
      <h2>Records</h2>
      <List
        caption="Records before and after"
        columns={[
          { head: 'Records', class: 'c-what', cell: ([name]) => name },
          { head: 'Before', class: 'num', cell: ([name]) => start_counts[name] },
          { head: 'After', class: 'num', cell: ([, count]) => count },
        ]}
        items={Object.entries(counts)}
        keyOf={([name]) => name}
      />
      <h2>Moves of the clock</h2>
      <List
        caption="Moves of the clock, oldest first"
        columns={[
          { head: 'Move', cell: ({ kind }) => kind },
          { head: 'Of', class: 'c-what', cell: ({ organization }) => organization ?? 'every organization' },
          { head: 'From', cell: ({ from }) => dateTime(from) },
          { head: 'To', cell: ({ to }) => dateTime(to) },
        ]}
        items={clock.value?.moves ?? []}
        keyOf={(move) => move.from + move.to}
        empty={<p class="soft">None.</p>}
      />
      {world && <Settings world={world} />}
    </SingleView>
  )
}
