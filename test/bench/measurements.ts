import type { Measurement } from './measurement.js'
import { findings } from './rows/findings.js'
import { fold } from './rows/fold.js'
import { growth } from './rows/growth.js'
import { cycles, startInProcess } from './rows/in-process.js'
import { refresh, silentSignIn, webhook } from './rows/oauth.js'
import { read } from './rows/requests.js'
import { resetInProcess } from './rows/reset.js'
import { firstLoad, restart } from './rows/restart.js'
import { sandboxes } from './rows/sandboxes.js'
import { sizes } from './rows/sizes.js'
import { start } from './rows/start.js'

/** Every row, in the order in which they are measured. */
export const measurements: Measurement[] = [
  start,
  startInProcess,
  cycles,
  resetInProcess,
  read,
  findings,
  ...sizes,
  refresh,
  silentSignIn,
  webhook,
  restart,
  firstLoad,
  fold,
  ...growth,
  ...sandboxes,
]
