import { render } from 'preact'
import { followClock } from './emulator-time.js'
import { listenToKeys } from './keyboard.js'
import { openStream } from './live/connection.js'
import { Shell } from './shell.js'
import { journal } from './views/activity/entries.js'
import { deliveryList } from './views/deliveries/delivery-list.js'

openStream()
journal.follow()
deliveryList.follow()
followClock()
listenToKeys()
render(<Shell />, document.body)
