import { ANY_RUN } from '../../../emulator/world/run.js'
import { visible } from '../../reports/visible.js'
import { type CommandGroup, failure, flag } from '../command/command.js'
import { writeText } from '../files/output-file.js'
import { notesOf, requestLine } from '../terminal/request-line.js'
import { asJson, flagsOfCall, inputOf, presented, subcontrol, withRuns } from './control-command.js'
import { type EventLine, matchesFilters, withFollow } from './follow.js'

/** Returns a function that gives the heading of an entry's mark, unless the entry before has the same. */
function headings(): (mark: string | undefined) => string[] {
  let current: string | undefined
  return (mark) => {
    if (mark === current) return []
    current = mark
    return [mark === undefined ? '──' : `── ${visible(mark)}`]
  }
}

/** Writes entries as a table with a heading for each mark, and any other result as it is. */
function listedByMark(result: unknown): string {
  const isFree = Array.isArray(result) && result.some(({ liberties }) => liberties)
  const columns = ['id', 'at', 'method', 'path', 'status', 'organization', 'fault']
  const listed = Array.isArray(result) ? result.map((entry) => ({ ...entry, reason: notesOf(entry) })) : result
  const text = presented(listed, [...columns, ...(isFree ? ['liberties'] : []), 'reason'])
  if (!Array.isArray(result)) return text
  const [head = '', ...rows] = text.split('\n')
  const headingOf = headings()
  return [head, ...rows.flatMap((row, index) => [...headingOf(result[index].mark), row])].join('\n')
}

/** The filters of a list of requests: `--har` is the format that has a flag of its own. */
const { format: _, ...requestFilters } = flagsOfCall('listRequests')

const listing = subcontrol(['list', '$0'], 'List incoming requests and outgoing webhooks', {
  flags: {
    ...requestFilters,
    har: flag.path('Write them into this file as an HTTP Archive (HAR 1.2)'),
    count: flag.switch('Print only the count', { conflicts: 'har' }),
    clear: flag.switch('Empty the journal', { conflicts: ['count', 'har', 'runs', ...Object.keys(requestFilters)] }),
  },
  example: '--surface oauth --status 400',
  calls: ['listRequests', 'countRequests', 'clearRequests'],
  async request(call, args) {
    if (args.clear) return call('clearRequests')
    if (args.count) return call('countRequests', inputOf('listRequests', args))
    const { query } = inputOf('listRequests', args)
    const archive = args.har && (await call('listRequests', { query: { ...query, format: 'har' } }))
    await writeText(args.har, () => asJson(archive))
    return call('listRequests', { query })
  },
  print: (result) => listedByMark(result),
})

function requestLineBy(filters: Record<string, unknown>): EventLine {
  const headingOf = headings()
  return ({ type, data }) => {
    if (type !== 'request' || !matchesFilters({ ...data, trace: data.trace_id }, filters)) return undefined
    return [...headingOf(data.mark), requestLine(data)].join('\n')
  }
}

/** control-api: "Journal" */
export const requestsCommand: CommandGroup = {
  subcommands: [
    withRuns(
      withFollow(listing, 'Print each one as it ends, until interrupted', 'countRequests', requestLineBy, [
        ...['count', 'clear', 'har', 'mark', 'since', 'limit'],
      ]),
    ),
    subcontrol('show <id>', 'Show a request and its response, with headers and bodies', {
      operands: { id: { type: 'string', describe: 'Id of an entry, as requests lists it' } },
      example: '12',
      calls: ['listRequests'],
      async request(call, { id }) {
        const entries = await call('listRequests', { query: { run: ANY_RUN } })
        const entry = entries.find((each) => String(each.id) === String(id))
        if (entry) return entry
        const kept = entries.length > 0 ? `${entries[0]?.id} to ${entries.at(-1)?.id}` : 'none'
        throw failure(`there is no request "${id}"; kept are: ${kept}`)
      },
      print: asJson,
    }),
  ],
}
