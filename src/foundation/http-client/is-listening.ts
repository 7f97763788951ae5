import { connect } from 'node:net'
import { checkAddress, guardedLookup, normalizeHost, RefusedTarget, type TargetRules } from './targets.js'

/**
 * Returns true when the host of an http or https address accepts a connection.
 * @param timeout real milliseconds.
 * @param rules for the addresses that it may have; any when left out.
 * @throws RefusedTarget for a host that may not be called, without a connection.
 */
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
