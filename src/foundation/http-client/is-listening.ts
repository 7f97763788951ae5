import { connect } from 'node:net'
import { checkAddress, guardedLookup, normalizeHost, RefusedTarget, type TargetRules } from './targets.js'

/** Returns true when the host of an address accepts a connection. @throws RefusedTarget for one that may not be called. */
export const isListening = (url: string, timeout: number, rules?: TargetRules): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const { hostname, port, protocol } = new URL(url)
    const host = normalizeHost(hostname)
    if (rules) checkAddress(hostname, rules)
    const lookup = rules && guardedLookup(rules)
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80), timeout, lookup })
    for (const event of ['connect', 'error', 'timeout']) {
      socket.once(event, (error?: unknown) => {
        socket.destroy()
        if (error instanceof RefusedTarget) reject(error)
        else resolve(event === 'connect')
      })
    }
  })
