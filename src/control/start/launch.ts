import { inspect } from 'node:util'
import { createRedactor } from '../../emulator/journal/known-secrets.js'
import type { Dispatch } from '../../emulator/serving/http-app.js'
import { START, type World } from '../../emulator/world/world.js'
import { performance } from '../../foundation/time/real-timers.js'
import { publishEvents } from '../admin/publish-events.js'
import { expireSandboxes } from '../sandboxes/end-sandbox.js'
import { otlpSettings } from '../traces/otlp-settings.js'
import { type OpenOptions, openWorld } from './open-world.js'
import { serve } from './server.js'
import { warmUp } from './surfaces.js'

export interface LaunchOptions extends OpenOptions {
  onInternalError?: ((error: unknown) => void) | undefined
  /** Receives why a request could not be read, which the journal does not have. */
  onUnparsedRequest?: (why: string) => void
  /** False: webhooks that are due stay unsent. */
  sendsWebhooks?: boolean
}

/** An emulator that serves. */
export interface Running {
  /** Its address: `{base_url}`. */
  url: string
  world: World
  /** Warnings, e.g. that a truncated last line of the store was dropped. */
  notes: string[]
  /** Sends a control call without a connection. */
  dispatch: Dispatch
  /** Makes the present world the one that a reset restores. */
  saveStart(): void
  /** Stops listening, cuts open connections, and resolves when everything is written. */
  close(): Promise<void>
}

/**
 * Starts an emulator in this process, on any free port unless the settings name one. All its parts are put together here.
 * @throws InvalidFixturesError with every issue of the fixtures.
 * @throws StartError when the port is taken, or the store is in use, unreadable or seeded from other fixtures.
 */
export async function launch(options: LaunchOptions = {}): Promise<Running> {
  const { index = 0, worlds = [] } = options
  const spans = await exporterOf()
  const { world, worldFile, address, closing, notes } = await openWorld({ ...options, worlds }, spans)
  let serving: Awaited<ReturnType<typeof serve>> | undefined
  try {
    const onInternalError = options.onInternalError ?? ((error) => reportInternalError(world, error))
    serving = await serve(world, onInternalError, options.onUnparsedRequest)
    const { url, dispatch, stop } = serving
    address.listening = url
    worlds.push({ index, url })
    await worldFile.begin(world)
    publishEvents(world)
    expireSandboxes(world)
    spans?.watch(world)
    world.coverage.watch()
    const saveStart = () => {
      // The webhooks that fixtures ask for are sent now, and not again after a reset.
      world.store.nameState(START, world.clock.timestamp(null), neverSent(world))
      world.origin.counts = world.store.counts()
    }
    saveStart()
    if (options.sendsWebhooks !== false) world.outbox.resume()
    serving.begin()
    const stopWarmUp = warmUp(world)

    return {
      url,
      world,
      notes: [...notes, ...serving.notes],
      dispatch,
      saveStart,
      async close() {
        closing.abort()
        stopWarmUp()
        world.clock.close()
        world.keys.close()
        world.outbox.abort()
        await stop()
        const dropped = (await spans?.close()) ?? 0
        if (dropped > 0) process.stderr.write(`mockademy: spans that could not be exported: ${dropped}\n`)
        await worldFile.close(world)
      },
    }
  } catch (error) {
    void serving?.stop()
    worldFile.abandon()
    throw error
  }
}

/** Creates the exporter of spans when the environment asks for one. Nothing of it is loaded otherwise. */
async function exporterOf() {
  const settings = otlpSettings(process.env)
  if (!settings) return undefined
  const { createSpanExporter } = await import('../traces/exporter.js')
  return createSpanExporter(settings, () => performance.timeOrigin + performance.now())
}

/** Deliveries of `app.installed` that were never attempted, e.g. because the process was killed before. */
const neverSent = ({ store }: World): ['deliveries', string][] =>
  [...store.deliveries.in('open', 'all')]
    .filter(({ event, attempts, held }) => event.type === 'app.installed' && attempts.length === 0 && held === null)
    .map(({ id }) => ['deliveries', id])

/** Reports an error without secrets, since its message may quote them. */
const reportInternalError = (world: World, error: unknown) =>
  void process.stderr.write(`mockademy: internal error: ${createRedactor(world)(inspect(error))}\n`)
