import { createRedactor } from '../../emulator/journal/known-secrets.js'
import type { Exchange } from '../../emulator/world/exchange.js'
import type { Journal } from '../../emulator/world/parts.js'
import type { Recording } from '../../emulator/world/scenario-parts.js'
import type { World } from '../../emulator/world/world.js'
import { type StepDraft, stepOf } from './recorded-steps.js'
import { RecordedValues } from './recorded-values.js'

type RecordedWorld = Pick<World, 'store' | 'settings' | 'clock'>

/** Exchanges that a recording keeps. */
const LIMIT = 10_000

/** An exchange and when it began, in real milliseconds: exchanges are recorded in the order in which they end. */
interface Recorded {
  exchange: Exchange
  began: number
}

/** Records every exchange from now on. @returns a function that ends this and makes a scenario of them. */
export function record(journal: Journal): (world: RecordedWorld) => Recording {
  const recorded: Recorded[] = []
  let more = 0
  const stop = journal.onExchange((exchange) => {
    if (!isOfInterest(exchange)) return
    if (recorded.length >= LIMIT) more++
    else recorded.push({ exchange, began: performance.now() - exchange.duration })
  })
  return (world) => {
    stop()
    const inOrder = recorded.toSorted((a, b) => a.began - b.began).map(({ exchange }) => exchange)
    const recording = recordingOf(inOrder, world)
    if (more > 0) {
      const before = recording.scenario.steps.length
      recording.left_out.push({ before, request: `${more} more requests`, why: `a recording holds the first ${LIMIT}` })
    }
    return recording
  }
}

/** Returns true for requests to the platform and control calls that change something, unless a scenario made them. */
function isOfInterest({ surface, method, path, sender }: Exchange): boolean {
  if (sender === 'scenario') return false
  if (surface === 'admin') {
    return method !== 'GET' && path.startsWith('/_admin/') && path !== '/_admin/recording'
  }
  return surface === 'api' || surface === 'oauth' || surface === 'web'
}

function recordingOf(exchanges: Exchange[], world: RecordedWorld): Recording {
  const values = new RecordedValues(secretsOf(world), createRedactor(world))
  const drafts: StepDraft[] = []
  const left_out: Recording['left_out'] = []
  for (const exchange of exchanges) {
    const { method, path } = exchange
    values.addSecrets(exchange)
    const draft = stepOf(exchange, values, world)
    const name = `${draft.kind ?? 'request'}_${drafts.length}`
    values.addResult(exchange, draft.why === undefined ? name : undefined, draft.kind === 'request' ? ['body'] : [])
    if (draft.why === undefined) drafts.push({ ...draft, name })
    else left_out.push({ before: drafts.length, request: `${method} ${values.redacted(path)}`, why: draft.why })
  }
  const text = JSON.stringify(drafts.map(({ step }) => step))
  // Only a step that others refer to needs a name.
  const steps = drafts.map(
    ({ name, step }) => (text.includes(`\${${name}.`) ? { name, ...step } : step) as Record<string, unknown>,
  )
  return { scenario: { title: `Recorded at ${world.clock.timestamp(null)}`, steps }, left_out }
}

/** Returns the API keys and the secrets of apps, which are secret even where no field's name says so. */
const secretsOf = ({ store }: RecordedWorld): string[] => [
  ...[...store.organizations.all].flatMap(({ api_key }) => api_key ?? []),
  ...[...store.apps.all].flatMap(({ client_secret, signing_secret }) => [client_secret, signing_secret]),
]
