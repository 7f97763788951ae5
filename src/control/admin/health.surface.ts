import { redactedProblem } from '../../emulator/journal/redacted-problem.js'
import { route } from '../../emulator/serving/route.js'
import type { Surface } from '../../emulator/serving/surface.js'
import { entryOf } from './calls.js'

/** What `GET /healthz` answers as long as there is somebody to answer. */
export const health = () => ({ status: 'ok' as const })

const { path, summary, source } = entryOf('health')

/** `GET /healthz` alone, open to everybody: whoever waits for a start waits for nothing else. control-api: preamble */
export const healthSurface: Surface = {
  name: 'admin',
  routes: [route('GET', path, { id: 'health', summary, source, open: true }, () => ({ status: 200, body: health() }))],
  bodyLimit: () => 0,
  refuse: redactedProblem,
}
