import { render } from 'preact'
import { followClock } from './api/clock.js'
import { report } from './api/report.js'
import { openStream } from './api/stream.js'
import { listenToKeys } from './keyboard.js'
import { Shell } from './shell.js'
import { deliveryList } from './views/deliveries.js'
import { journal } from './views/entries.js'

if (!report) openStream()
journal.follow()
deliveryList.follow()
followClock()
listenToKeys()
render(<Shell />, document.body)
