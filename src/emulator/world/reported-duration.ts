import type { World } from './world.js'

/**
 * Returns a measured duration as it is reported: 0 in a seeded world whose clock is stopped, so that the same calls
 * have the same results in every run. wire: §1 "seed"
 * @param measured real milliseconds.
 */
export const reportedDuration = ({ settings, clock }: Pick<World, 'settings' | 'clock'>, measured: number): number =>
  settings.seed !== undefined && clock.state(null).frozen ? 0 : measured
