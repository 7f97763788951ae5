import type { Admin } from 'mockademy'

type Manifest = Parameters<Admin['pushManifest']>[1]

/** Pushes the newest manifest of an app with these fields changed. */
export async function changeManifest(admin: Admin, changes: Partial<Manifest>, app = 'notes'): Promise<void> {
  const { versions } = await admin.getApp(app)
  await admin.pushManifest(app, { ...(versions.at(-1)?.manifest as Manifest), ...changes })
}
