import { randomBytes } from 'node:crypto'
import type { Admin } from '../../control/client/connect.js'
import type { Platform } from './actors/platform.js'
import { AuditFailure } from './audit-failure.js'

/** How far the emulator's clock may be from the machine's: the app judges tokens by the machine's. Milliseconds. */
const TOLERANCE = 2_000
/** How long the app may take to hear of the uninstalls at the end. */
const UNINSTALL_TIMEOUT = 5_000

/**
 * Takes the world as it is for the time of a run: no fault, no forced silent outcome, no ambient user, and a clock that
 * agrees with the machine's. What is given back puts everything as it was: the organizations that the audit made are
 * uninstalled, so that the app forgets them, and then the world is restored. audit: "Rules of a fair audit" 2
 * @returns what gives it back; rejects with an AuditFailure when the emulator is gone.
 */
export async function borrowWorld(admin: Admin): Promise<(platform: Platform) => Promise<void>> {
  const name = `before audit ${randomBytes(4).toString('hex')}`
  await admin.snapshot(name)
  await admin.clearFaults()
  await admin.clearSilentAuth()
  await admin.clearAmbientUser().catch(() => undefined)
  const { now, frozen } = await admin.clock()
  if (frozen || Math.abs(Date.parse(now) - Date.now()) > TOLERANCE) {
    await admin.freezeClock(new Date().toISOString())
    await admin.resumeClock()
  }
  return async (platform) => {
    try {
      await admin.clearFaults()
      await Promise.race([uninstallAll(admin, platform), deadline(UNINSTALL_TIMEOUT)])
      await admin.restoreSnapshot(name)
      await admin.deleteSnapshot(name)
    } catch (error) {
      const { message } = error as Error
      throw new AuditFailure(`the emulator's world could not be restored (${message}); is it still running?`)
    }
  }
}

async function uninstallAll(admin: Admin, { made }: Platform): Promise<void> {
  const ours = new Set(made.map(({ slug }) => slug))
  const installed = await admin.listInstallations({ state: 'installed' })
  const own = installed.filter(({ organization }) => ours.has(organization))
  await Promise.all(own.map(({ id }) => admin.uninstall(id).catch(() => undefined)))
}

const deadline = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())
