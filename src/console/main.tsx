import { render } from 'preact'
import { followClock } from './emulator-time.js'
import { listenToKeys } from './keyboard.js'
import { connect } from './live/connection.js'
import { Shell } from './shell.js'
import { followEntries } from './views/activity/entries.js'
import { followDeliveries } from './views/deliveries/delivery-list.js'

connect()
followEntries()
followDeliveries()
followClock()
listenToKeys()
render(<Shell />, document.body)
