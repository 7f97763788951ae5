import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

const OPENING = '<script type="application/gzip" id="report">'

/** Reads the report of a run: the page, its data as text, and the results in it by path of their call. */
export async function readReport(file: string) {
  const html = await readFile(file, 'utf8')
  // Not with a regular expression, whose stack 5 MB of data may exhaust.
  const [, rest = ''] = html.split(OPENING)
  const packed = rest.slice(0, rest.indexOf('<'))
  const text = gunzipSync(Buffer.from(packed, 'base64')).toString()
  const data = JSON.parse(text)
  return { html, text, data, results: data.results }
}
