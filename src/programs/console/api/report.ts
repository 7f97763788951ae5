import type { RunReport } from '../../../control/run-report/run-report.js'

const data = document.getElementById('report')?.textContent

/** The run of which this page is the report; undefined in the console of an emulator. coverage: The run report */
export const report: RunReport | undefined = data ? await unpack(data) : undefined

function unpack(text: string): Promise<RunReport> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json()
}

/** The views of a report; *Run* is in reports alone. */
const inReports = ['run', 'activity', 'deliveries', 'installations', 'faults', 'findings', 'coverage']

/** Returns true for a view that this page has. */
export const hasView = (name: string): boolean => (report ? inReports.includes(name) : name !== 'run')

/** Returns what the report has instead of the response to a call; undefined when it has nothing. */
export function reported(path: string): unknown {
  const [bare = '', search] = path.split('?')
  const found = report?.results[path] ?? report?.results[bare]
  const filters = [...new URLSearchParams(search)]
  return Array.isArray(found)
    ? found.filter((item) => filters.every(([name, value]) => !(name in item) || item[name] === value))
    : found
}
