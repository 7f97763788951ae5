import type { DeliveryListener } from '../../emulator/world/webhook-parts.js'
import type { World } from '../../emulator/world/world.js'
import { completeUninstall } from './installations.js'

/**
 * Completes an uninstall when its `app.uninstalled` was attempted or cannot be: its tokens end then, and not before.
 * One that is postponed until after the next delivery counts as attempted, since the next delivery can only belong to a
 * new installation. wire: §7 "uninstall"
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
