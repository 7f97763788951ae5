import type * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import type { GuardedClient } from '../../foundation/http-client/guarded-client.js'
import type { Path } from '../../foundation/schema/issue.js'
import type { StepKind, stepFields } from '../admin/scenario-schemas.js'
import type { ControlCaller } from '../client/caller.js'
import type { StreamEvent } from '../client/event-stream.js'

export type Expectation = NonNullable<z.output<typeof stepFields.expect>>

/** A step as it was written, its references unresolved. */
export interface Step {
  kind: StepKind
  name: string | undefined
  title: string | undefined
  body: unknown
  expect: Expectation | undefined
}

/** A scenario that has been checked. */
export interface Scenario {
  title: string | undefined
  from: 'start' | 'current'
  /** Results have no secrets. References lead to the values all the same. */
  redact: boolean
  steps: Step[]
}

/** Returns a path as text: `steps[3].install.app`. */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )

/** The emulator and the app, for the steps of a scenario, which reach both as any client does. */
export interface ScenarioContext {
  world: Pick<World, 'store' | 'settings' | 'clock'>
  url: string
  call: ControlCaller
  /** Sends requests over connections that the emulator recognizes as the scenario's own. */
  client: GuardedClient
  /** Resolves with the events from then on. */
  openStream(signal: AbortSignal): Promise<AsyncGenerator<StreamEvent>>
  /** Aborts when no further step is wanted. */
  signal: AbortSignal
  /** Aborts shortly after `signal`, for a request that has not ended by then. */
  abortRequests: AbortSignal
}
