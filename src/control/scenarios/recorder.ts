import { createRedactor } from '../../emulator/journal/known-secrets.js'
import type { Exchange } from '../../emulator/world/exchange.js'
import type { Journal } from '../../emulator/world/parts.js'
import type { Recording } from '../../emulator/world/scenario-parts.js'
import type { World } from '../../emulator/world/world.js'
import { type StepDraft, stepOf } from './recorded-steps.js'
import { RecordedValues } from './recorded-values.js'

/** Of so many exchanges the memory is bounded, and more is no scenario that anybody reads. */
const MOST = 10_000

/** An exchange and when it began, in real milliseconds: what is answered late may have been asked for early. */
interface Kept {
  exchange: Exchange
  began: number
}

/** Keeps every exchange from now on. @returns what ends that and makes a scenario of them. */
export function record(journal: Journal): (world: World) => Recording {
  const kept: Kept[] = []
  let more = 0
  const stop = journal.onExchange((exchange) => {
    if (!isOfInterest(exchange)) return
    if (kept.length >= MOST) more++
    else kept.push({ exchange, began: performance.now() - exchange.duration })
  })
  return (world) => {
    stop()
    const inOrder = kept.toSorted((a, b) => a.began - b.began).map(({ exchange }) => exchange)
    const recording = recordingOf(inOrder, world)
    if (more > 0) {
      const before = recording.scenario.steps.length
      recording.left_out.push({ before, request: `${more} more requests`, why: `a recording holds the first ${MOST}` })
    }
    return recording
  }
}

/** What changes something, or asks the platform for something; nothing that a scenario does itself. */
function isOfInterest({ surface, method, path, sender }: Exchange): boolean {
  if (sender === 'scenario') return false
  if (surface === 'admin') {
    return method !== 'GET' && path.startsWith('/_admin/') && path !== '/_admin/recording'
  }
  return surface === 'api' || surface === 'oauth' || surface === 'web'
}

function recordingOf(exchanges: Exchange[], world: World): Recording {
  const values = new RecordedValues(secretsOf(world), createRedactor(world))
  const drafts: StepDraft[] = []
  const left_out: Recording['left_out'] = []
  for (const exchange of exchanges) {
    const { method, path } = exchange
    values.notice(exchange)
    const draft = stepOf(exchange, values, world)
    const name = `${draft.kind ?? 'request'}_${drafts.length}`
    values.learn(exchange, draft.why === undefined ? name : undefined, draft.kind === 'request' ? ['body'] : [])
    if (draft.why === undefined) drafts.push({ ...draft, name })
    else left_out.push({ before: drafts.length, request: `${method} ${values.shown(path)}`, why: draft.why })
  }
  const text = JSON.stringify(drafts.map(({ step }) => step))
  // Only what is referred to needs a name.
  const steps = drafts.map(
    ({ name, step }) => (text.includes(`\${${name}.`) ? { name, ...step } : step) as Record<string, unknown>,
  )
  return { scenario: { title: `Recorded at ${world.clock.timestamp()}`, steps }, left_out }
}

/** What is secret whether or not it was seen in the recording. */
const secretsOf = ({ store }: World): string[] => [
  ...[...store.organizations.all].flatMap(({ api_key }) => api_key ?? []),
  ...[...store.apps.all].flatMap(({ client_secret, signing_secret }) => [client_secret, signing_secret]),
]
