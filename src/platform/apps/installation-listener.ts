import type { DeliveryListener } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { completeUninstall } from './installations.js'

/**
 * Ends an installation when its `app.uninstalled` has been told or cannot be: what was issued for it ends then, and not
 * before. Held back until after the next delivery counts too, as what comes next can only be a new installation.
 * wire: §7 "uninstall"
 */
export const createInstallationListener = (getWorld: () => World): DeliveryListener => ({
  onDeliveryChange(tx, { event, installation }) {
    if (event.type === 'app.uninstalled') completeUninstall(getWorld(), tx, installation)
  },

  onResume(open) {
    const world = getWorld()
    const { store } = world
    const leaving = new Set(
      open.filter(({ event }) => event.type === 'app.uninstalled').map(({ installation }) => installation),
    )
    const orphaned = [...store.installations.in('uninstalling', 'all')].filter(({ id }) => !leaving.has(id))
    if (orphaned.length === 0) return
    store.change((tx) => {
      for (const { id } of orphaned) completeUninstall(world, tx, id)
    })
  },
})
