import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { consoleFiles } from '../admin/console-files.js'
import { byCallPath, type collect } from './collect.js'
import type { ReportOptions, RunReport } from './run-report.js'
import { BODY_LIMITS, shortenDelivery, shortenSides } from './shorten.js'

/** Bytes of a report. coverage: "The run report" */
const MAX_BYTES = 5_000_000
/** Characters of data that are compressed; more would take long to open, too. */
const MAX_CHARACTERS = 80_000_000

type Collected = Awaited<ReturnType<typeof collect>>

/**
 * Returns the report as one HTML file: the console, with the data of the run in it. To keep within its size, bodies are
 * cut first, then the oldest exchanges are left out.
 */
export function reportPage({ url, run, rest }: Collected, options: ReportOptions): string {
  const shell = shellOf(consoleFiles())
  const { title, command, result } = options
  /** @param share the part of the run that is kept, its newest. */
  const textOf = (limit: number | null, share: number): string => {
    const newest = <T>(list: T[]): T[] => list.slice(Math.ceil(list.length * (1 - share)))
    const [entries, deliveries] = [newest(run.entries), newest(run.deliveries)]
    const report: RunReport = {
      title,
      command,
      result,
      url,
      body_limit: limit ?? run.bodyLimit,
      left_out: run.entries.length - entries.length + run.leftOut,
      results: {
        ...rest,
        ...byCallPath({
          listRequests: limit === null ? entries : entries.map((entry) => shortenSides(entry, limit)),
          listDeliveries: limit === null ? deliveries : deliveries.map((each) => shortenDelivery(each, limit)),
        }),
      },
    }
    return JSON.stringify(report)
  }
  let before = ''
  let size = Number.POSITIVE_INFINITY
  for (const limit of [null, ...BODY_LIMITS]) {
    const text = textOf(limit, 1)
    // A limit that no body exceeds changes nothing but its own number.
    const isShorter = Math.abs(text.length - before.length) > 10
    before = text
    if (!isShorter || text.length > MAX_CHARACTERS) continue
    const page = shell(compress(text))
    size = Buffer.byteLength(page)
    if (size <= MAX_BYTES) return page
  }
  // Nothing fits whose text is too long to be compressed.
  let share = Math.min(1, MAX_CHARACTERS / before.length)
  for (;;) {
    if (Number.isFinite(size)) share *= Math.min(0.9, (0.97 * MAX_BYTES) / size)
    const page = shell(compress(textOf(0, share)))
    size = Buffer.byteLength(page)
    if (size <= MAX_BYTES || share < 0.001) return page
  }
}

const compress = (text: string) => gzipSync(text).toString('base64')

/** Returns a function that puts data into the page. Only this script and these styles run there, and nothing leaves it. */
function shellOf({ page, assets }: ReturnType<typeof consoleFiles>): (data: string) => string {
  const asset = (pattern: RegExp) => assets.get(pattern.exec(page)?.[1] ?? '')?.toString() ?? ''
  const style = asset(/\/([\w.-]+\.css)"/)
  // The text of an element ends at its end tag, also within a string of the script.
  const script = asset(/\/([\w.-]+\.js)"/).replaceAll('</script', '<\\/script')
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Mockademy</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>This report needs JavaScript.</noscript>
<script type="application/gzip" id="report">`
  return (data) => `${head}${data}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
