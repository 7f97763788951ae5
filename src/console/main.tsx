import { render } from 'preact'
import { followClock } from './emulator-time.js'
import { listenToKeys } from './keyboard.js'
import { openStream } from './live/connection.js'
import { Shell } from './shell.js'
import { followEntries } from './views/activity/entries.js'
import { followDeliveries } from './views/deliveries/delivery-list.js'

openStream()
followEntries()
followDeliveries()
followClock()
listenToKeys()
render(<Shell />, document.body)
