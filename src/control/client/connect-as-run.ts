import { ANY_RUN, RUN_HEADER } from '../../emulator/world/run.js'
import type { Admin } from './admin.js'
import { type ConnectOptions, connectBy } from './connect.js'
import { createHttpClient } from './http-client.js'

/**
 * Returns a client for the program of a run: its calls are marked with the run's id, and its lists hold what every run
 * caused unless `run` says otherwise. dev: "Why, for webhooks as for requests"
 */
export function connectAsRun(url: string, run: string, options: ConnectOptions): Admin {
  const origin = url.replace(/\/$/, '')
  const send = createHttpClient(origin)
  const admin = connectBy(origin, options, (request) =>
    send({ ...request, headers: { ...request.headers, [RUN_HEADER]: run } }),
  )
  return {
    ...admin,
    listRequests: (query) => admin.listRequests({ run: ANY_RUN, ...query }),
    countRequests: (query) => admin.countRequests({ run: ANY_RUN, ...query }),
    listDeliveries: (query) => admin.listDeliveries({ run: ANY_RUN, ...query }),
    listFindings: (query) => admin.listFindings({ run: ANY_RUN, ...query }),
    stream: (given) => admin.stream({ run: ANY_RUN, ...given }),
  }
}
