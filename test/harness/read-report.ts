import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

/** Reads the report of a run: the page, its data as text, and the results in it by path of their call. */
export async function readReport(file: string) {
  const html = await readFile(file, 'utf8')
  const [, packed = ''] = /<script type="application\/gzip" id="report">([^<]+)</.exec(html) ?? []
  const text = gunzipSync(Buffer.from(packed, 'base64')).toString()
  const data = JSON.parse(text)
  return { html, text, data, results: data.results }
}
