import { render } from 'preact'
import { followClock } from './api/clock.js'
import { report } from './api/report.js'
import { openStream } from './api/stream.js'
import { listenToKeys } from './keyboard.js'
import { Shell } from './shell.js'

if (!report) openStream()
followClock()
listenToKeys()
render(<Shell />, document.body)
