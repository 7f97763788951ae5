import type { Admin } from '../../../control/client/connect.js'

/**
 * The control calls of a run. Once the signal has aborted none is made, whichever check still runs: the world has been
 * given back by then, or is about to be.
 */
export const untilAborted = (admin: Admin, signal: AbortSignal): Admin =>
  new Proxy(admin, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name)
      if (typeof call !== 'function') return call
      return (...parameters: unknown[]) => {
        signal.throwIfAborted()
        return Reflect.apply(call, target, parameters)
      }
    },
  })
