import { hash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditContext } from '../audit/context/context.js'
import { organizationDocument, type Sizes } from '../audit/context/organization-document.js'
import { type ActionName, actionOf, eventOf, type ScenarioFacts, type ScenarioStep } from './actions.js'
import { flowOf } from './flows.js'
import { arrivalOf, describeTrouble, faultOf, idOf, needsReinstall, occurrenceOf, restarts, waveOf } from './plan.js'
import type { Reduced } from './reduce.js'
import { listedIn } from './run-case.js'
import { RETRY_AFTER, troubleOf } from './troubles.js'

/** Begins each file, so that the next sweep may replace it. */
const WRITTEN = '// Written by `mockademy sweep`'

/** Real milliseconds by which an app may begin later to wait as long as it was told to. */
const LATER = 200

/**
 * Returns a case as a scenario, which fails with this app and passes once the app is fixed. sweep: "Reduction"
 * @param id of the case. @param reduced the least steps that fail as it does.
 * @returns undefined for what no scenario can do or check, such as a sign-in.
 */
export function scenarioOf(context: AuditContext, id: string, reduced: Reduced) {
  if (!isWritable(context, reduced)) return undefined
  const { plan } = reduced
  const { verdict, message } = reduced.verdict
  const { app, file } = context
  const { flow, steps, breaks, status } = plan
  // Of this case alone, so that the app has seen none of its events in another file. The id itself is no valid slug.
  const organization = `sweep-${flow}-${hash('sha256', id).slice(0, 8)}`
  const listed = listedIn(context, plan)
  const sent = steps.map((step, index) =>
    step === 'event' ? eventOf(context, occurrenceOf(steps, index)) : 'app.installed',
  )
  const facts: ScenarioFacts = { app, organization, file, listed, wave: waveOf(plan), sent, status }
  const faults = breaks.flatMap((each) => faultOf(plan, each) ?? [])
  const document = {
    $schema: 'https://unpkg.com/mockademy/fixtures/scenario.schema.json',
    title: `${describeTrouble(plan)} (${flow})`,
    steps: [
      { fixtures: fixturesOf(organization, file.list?.of ?? 'elements', listed) },
      ...faults.map(({ match, ...fault }) => ({ fault: { match: { ...match, app: app.id, organization }, ...fault } })),
      ...stepsOfCase(plan, facts),
      ...(verdict === 'harmful' ? [{ expect_findings: [] }] : []),
    ],
  }
  const comments = [
    `${WRITTEN}: ${idOf(plan).replaceAll('/', ', ')}.`,
    `// ${describeTrouble(plan)}.`,
    `// ${message.replaceAll('\n', ' ')}.`,
    '// It passes once the app is fixed: `mockademy scenario run`.',
  ]
  return `${comments.join('\n')}\n${JSON.stringify(document, null, 2)}\n`
}

/** Returns false for a case that no scenario can do or check. */
function isWritable({ file }: AuditContext, { plan, run, verdict: { verdict, rule } }: Reduced): boolean {
  const actions = [...plan.steps, flowOf(plan.flow).expects]
  // A response that shows more or less than it may is compared by the sweep alone.
  if (run.harms.length > 0) return false
  // Nor does a scenario count the requests of a storm.
  if (verdict === 'harmful' && rule === undefined && run.held !== undefined) return false
  if (restarts(plan)) return false
  if (file.probe?.as === 'signed_in' && actions.some((action) => VISITS.includes(action))) return false
  return actions.every((action) => actionOf(action).scenario)
}

/** Returns the steps that a case makes, the recovery from its faults, and the check of what it expects. */
function stepsOfCase(plan: Reduced['plan'], facts: ScenarioFacts): ScenarioStep[] {
  const { flow, steps, breaks } = plan
  const { organization, file } = facts
  // As the sweep does: an app may acknowledge first, and stays away for as long as it was told to.
  const isLimited = breaks.some(({ trouble }) => trouble === 'limited')
  const settle = { settle: { background: Math.max(file.background, isLimited ? RETRY_AFTER * 1_000 + LATER : 0) } }
  const letArrive = [{ advance: { by: '1h', organization } }, settle]
  // A late event is older than the next one, even on a stopped clock.
  const oneSecondLater = { advance: { by: '1s', organization } }

  const written = steps.flatMap((step, index): ScenarioStep[] => {
    const arrives = breaks.some((each) => index === arrivalOf(steps, each))
    const isLate = breaks.some(({ point, trouble }) => trouble === 'late' && point.step === index)
    const own = stepsOf(step, facts, false, occurrenceOf(steps, index))
    const delivered = actionOf(step).delivers ? [settle] : []
    return [...own, ...delivered, ...(isLate ? [oneSecondLater] : []), ...(arrives ? letArrive : [])]
  })
  const again = breaks.filter(({ trouble }) => !troubleOf(trouble).fault)
  // The schedule brings again what the app could not handle.
  const isDue = breaks.some(
    ({ point }) => point.surface !== 'webhook' && actionOf(steps[point.step] as ActionName).delivers,
  )
  const reinstall: ActionName[] = needsReinstall(plan) ? ['uninstall', 'install'] : []
  return [
    ...written,
    ...(written.at(-1) === settle ? [] : [settle]),
    { clear_faults: {} },
    ...(isDue ? letArrive : []),
    ...again.flatMap(({ point }) => [{ redeliver: { delivery: deliveryIn(steps, point.step) } }, settle]),
    ...reinstall.flatMap((step) => [...stepsOf(step, facts, false, 0), settle]),
    ...stepsOf(flowOf(flow).expects, facts, true, 1),
  ]
}

const VISITS: readonly ActionName[] = ['probe', 'burst', 'list', 'not-installed']

const stepsOf = (name: ActionName, facts: ScenarioFacts, expects: boolean, occurrence: number): ScenarioStep[] =>
  actionOf(name).scenario?.(facts, expects, occurrence) ?? []

/** Returns what names the delivery of a step in the steps after it. */
const deliveryIn = (steps: readonly ActionName[], index: number) =>
  `\${${steps[index]}${occurrenceOf(steps, index)}${steps[index] === 'event' ? '' : '.delivery'}.id}`

function fixturesOf(slug: string, of: keyof Sizes, count: number) {
  const names = { slug, name: 'Sweep', course: 'Course', firstName: 'Sweep', lastName: 'Owner' }
  const { users, organization } = organizationDocument(names, { elements: 1, [of]: count })
  return { users, organizations: [organization] }
}

/** Writes a scenario into the folder, unless a file is there that no sweep has written. */
export async function writeScenario(folder: string, id: string, text: string) {
  const path = join(folder, `${id.replaceAll('/', '-')}.jsonc`)
  const present = await readFile(path, 'utf8').catch(() => WRITTEN)
  const isWritten = present.startsWith(WRITTEN)
  await mkdir(folder, { recursive: true })
  if (isWritten) await writeFile(path, text)
  return { path, isWritten }
}
