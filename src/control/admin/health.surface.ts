import { redactedProblem } from '../../emulator/journal/redacted-problem.js'
import { route, type Surface } from '../../emulator/serving/surface.js'
import { callTable } from './call-table.js'

const { path, summary, source } = callTable.health

/** `GET /healthz` alone, open to everyone: a client that waits for a start needs nothing else. control-api: preamble */
export const healthSurface: Surface = {
  name: 'admin',
  routes: [
    route('GET', path, { id: 'health', summary, source, open: true }, () => ({ status: 200, body: { status: 'ok' } })),
  ],
  bodyLimit: () => 0,
  refuse: redactedProblem,
}
