import { type Emulator, type StartOptions, startEmulator } from './emulator.js'

/**
 * Starts `worlds` emulators in this process: one for each port from `port` on (each on any free one with port 0), with
 * stores `store.0.json` and so on. Starts all or none. control-api: "Worlds"
 * @throws what `startEmulator` throws.
 */
export async function startWorlds(options: StartOptions & { port: number; worlds: number }): Promise<Emulator[]> {
  const { port, worlds, store } = options
  if (worlds === 1) return [await startEmulator(options)]
  const starts = Array.from({ length: worlds }, (_, index) =>
    startEmulator({ ...options, port: port && port + index, store: store && storeOf(store, index) }),
  )
  const settled = await Promise.allSettled(starts)
  const emulators = settled.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const failed = settled.find((start) => start.status === 'rejected')
  if (failed) {
    await Promise.all(emulators.map((emulator) => emulator.close()))
    throw failed.reason
  }
  const neighbours = emulators.map(({ url }, index) => ({ index, url }))
  for (const { world } of emulators) world.origin.worlds.splice(0, Number.POSITIVE_INFINITY, ...neighbours)
  return emulators
}

/** `.mockademy/store.json` of world 2 is `.mockademy/store.2.json`. */
const storeOf = (store: string, index: number) =>
  store === 'memory' ? store : store.replace(/(\.[^./\\]+)?$/, `.${index}$1`)
