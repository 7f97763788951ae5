import { mayHoldSecret } from '../audit/app/secrets.js'
import type { Attempt, Subject } from './actions.js'

/** Returns the harms that responses show, without what differs between two runs. */
export async function harmsIn(attempts: Attempt[], { context, tenant }: Subject): Promise<string[]> {
  const { run, secrets, platform } = context
  const exchanges = attempts.flatMap((each) => each.exchanges)
  const bodies = exchanges.map(({ response }) => response.body)
  if (bodies.some((body) => mayHoldSecret.test(body))) await platform.learnSecrets()
  const secretsFound = new Set(bodies.flatMap((body) => secrets.foundIn(body)))
  const ofRun = new RegExp(`${run}-\\d{4}`, 'g')
  const strangers = bodies.some((body) => [...body.matchAll(ofRun)].some(([slug]) => slug !== tenant.slug))
  return [
    ...new Set([
      ...attempts.flatMap(({ harm }) => harm ?? []),
      ...[...secretsFound].map((kind) => `a response of the app holds the ${kind}`),
      ...(strangers ? ["a response of the app holds another organization's data"] : []),
    ]),
  ]
}
