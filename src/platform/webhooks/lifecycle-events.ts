import type { World } from '../../emulator/world/world.js'

/** The events that the platform itself sends, and the setting that says how long an app has for each. spec: §6, wire: §7 */
export const lifecycleEvents = {
  'app.installed': { window: 'ack_window' },
  'app.uninstalled': { window: 'attempt_timeout' },
} as const

export type LifecycleEvent = keyof typeof lifecycleEvents

export const isLifecycleEvent = (type: string): type is LifecycleEvent => Object.hasOwn(lifecycleEvents, type)

/** Returns the real milliseconds that an attempt may take, and the setting that says so. wire: §7 "an attempt" */
export function attemptWindow({ settings }: Pick<World, 'settings'>, type: string) {
  const windowSetting = isLifecycleEvent(type) ? lifecycleEvents[type].window : 'attempt_timeout'
  return { window: settings[windowSetting], windowSetting }
}
