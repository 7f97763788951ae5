import type { Socket } from 'node:net'
import type { Recording, Scenarios } from '../../emulator/world/scenario-parts.js'
import type { World } from '../../emulator/world/world.js'
import { Refusal } from '../../foundation/http/refusal.js'

/** Creates the runner and recorder of scenarios, which are clients of the control API. Their modules are loaded at first use. */
export function createScenarios(getWorld: () => World): Scenarios {
  /** The client's addresses of connections that a scenario has to this emulator. */
  const connections = new Set<string>()
  // Called when a connection is made, so before a byte is sent.
  const onConnection = (socket: Socket) => {
    const address = addressOf(socket.localAddress, socket.localPort)
    connections.add(address)
    socket.once('close', () => connections.delete(address))
  }
  let isRunning = false
  let recording: { since: string; finish: (world: World) => Recording } | undefined
  return {
    isOwn: (client, port) => connections.size > 0 && connections.has(addressOf(client, port)),
    async run(document, signal) {
      const { checkedScenario, runScenario } = await import('./run-scenario.js')
      const scenario = checkedScenario(document, getWorld())
      if (isRunning) throw new Refusal('conflict', { message: 'Another scenario is running. Wait until it ends' })
      isRunning = true
      try {
        return await runScenario(scenario, getWorld(), onConnection, signal)
      } finally {
        isRunning = false
      }
    },
    async startRecording() {
      const { record } = await import('./recorder.js')
      if (recording) {
        const message = `A recording has been under way since ${recording.since}: end it in the console, or with DELETE /_admin/recording`
        throw new Refusal('conflict', { message })
      }
      const world = getWorld()
      recording = { since: world.clock.timestamp(null), finish: record(world) }
      return recording.since
    },
    recordingSince: () => recording?.since ?? null,
    async stopRecording() {
      const ended = recording
      // So that the next one can begin even when this one fails.
      recording = undefined
      return ended?.finish(getWorld())
    },
  }
}

/** A server that listens on IPv6 sees IPv4 addresses in IPv6 notation. */
const addressOf = (host = '', port = 0) => `${host.replace(/^::ffff:/, '')} ${port}`
