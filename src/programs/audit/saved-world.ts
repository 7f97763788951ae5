import { setTimeout as pause } from 'node:timers/promises'
import type { Admin } from '../../control/client/admin.js'
import { snapshotsOf } from '../../emulator/world/run.js'
import { AuditFailure } from './app/failures.js'

/** The emulator's clock may differ by this from the machine's, by which the app checks tokens. */
const TOLERANCE_MS = 2_000
const UNINSTALL_TIMEOUT_MS = 5_000
/** The same after an interruption, when a person waits. */
const INTERRUPTED_TIMEOUT_MS = 500

type Organizations = readonly { slug: string }[]

/** Saves the world, and clears what would disturb a run. @returns the snapshot's name. audit: "Rules of a fair audit" 2 */
export async function saveWorld(admin: Admin, run: string): Promise<string> {
  const snapshot = snapshotsOf(run).before
  await admin.snapshot(snapshot)
  await admin.clearFaults()
  await admin.clearSilentAuth()
  await admin.clearAmbientUser().catch(() => undefined)
  const { now, frozen } = await admin.clock()
  if (frozen || Math.abs(Date.parse(now) - Date.now()) > TOLERANCE_MS) {
    await admin.freezeClock(new Date().toISOString())
    await admin.resumeClock()
  }
  return snapshot
}

const OF_RUN = /^(audit|sweep)-[0-9a-f]{8}\b/
const SNAPSHOT = /^(?:before|left by) (?:audit|sweep)-[0-9a-f]{8}$/
const SNAPSHOT_BEFORE = /^before (.*)$/

/**
 * Removes what a killed run has left: its organizations, users, apps and faults. Undoes its other changes (faults that it
 * cleared, clock, ambient user, silent sign-ins, signing key, version of the app), except those that were overwritten since.
 * @returns a note for the user; undefined when there was nothing to do.
 */
export async function removeLeftovers(admin: Admin): Promise<string | undefined> {
  const [organizations, users, apps, faults, snapshots] = await Promise.all([
    admin.listOrganizations().then((all) => all.filter(({ slug }) => OF_RUN.test(slug))),
    admin.listUsers().then((all) => all.filter(({ id }) => OF_RUN.test(id))),
    admin.listApps().then((all) => all.filter(({ id }) => OF_RUN.test(id))),
    admin.listFaults().then((all) => all.filter(({ match }) => OF_RUN.test(String(match.organization)))),
    admin.listSnapshots().then((all) => all.filter(({ name }) => SNAPSHOT.test(name))),
  ])
  await Promise.all(faults.map(({ id }) => admin.deleteFault(id)))
  await uninstallFrom(admin, organizations, UNINSTALL_TIMEOUT_MS)
  for (const { id } of apps) await admin.deleteApp(id)
  for (const { slug } of organizations) await admin.deleteOrganization(slug)
  for (const { id } of users) await admin.deleteUser(id)
  const names = snapshots.map(({ name }) => name)
  const killed = names.flatMap((name) => SNAPSHOT_BEFORE.exec(name)?.[1] ?? [])
  const undoable = killed.map(snapshotsOf).filter(({ left }) => names.includes(left))
  for (const { before, left } of undoable) await admin.restoreSnapshot(before, { until: left })
  for (const name of names) await admin.deleteSnapshot(name)
  const counts = Object.entries({ organizations, people: users, apps, faults })
  const removed = counts.flatMap(([what, all]) => (all.length > 0 ? [`${what}: ${all.length}`] : []))
  if (undoable.length === 0 && removed.length === 0) return undefined
  const what = `removed the leftovers of a killed audit or sweep (${removed.join(', ') || 'nothing but settings'})`
  if (undoable.length > 0) return `${what}, and undid its other changes`
  return `${what}; the emulator has been restarted since, so its other changes remain: faults, clock, signing keys, silent sign-ins, version of the app`
}

/** Uninstalls the app from the run's organizations and restores the saved world. @throws AuditFailure without emulator. */
export async function restoreWorld(admin: Admin, snapshot: string, own: Organizations, isInterrupted: boolean) {
  try {
    await admin.clearFaults()
    await uninstallFrom(admin, own, isInterrupted ? INTERRUPTED_TIMEOUT_MS : UNINSTALL_TIMEOUT_MS)
    await admin.restoreSnapshot(snapshot)
    await admin.deleteSnapshot(snapshot)
  } catch (error) {
    const { message } = error as Error
    throw new AuditFailure(`the emulator's world could not be restored (${message}); is it still running?`)
  }
}

/** Uninstalls the app, and waits up to `timeout` ms until it has processed that. */
async function uninstallFrom(admin: Admin, organizations: Organizations, timeout: number): Promise<void> {
  const slugs = new Set(organizations.map(({ slug }) => slug))
  const uninstall = async () => {
    const installed = await admin.listInstallations({ state: 'installed' })
    const own = installed.filter(({ organization }) => slugs.has(organization))
    await Promise.all(own.map(({ id }) => admin.uninstall(id).catch(() => undefined)))
  }
  await Promise.race([uninstall(), pause(timeout, undefined, { ref: false })])
}
