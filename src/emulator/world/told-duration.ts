import type { World } from './world.js'

/**
 * Returns a measured duration as reported. In a seeded world whose clock is stopped no time passes, so that the same
 * calls are answered alike in every run. wire: §1 "seed"
 * @param measured real milliseconds.
 */
export const toldDuration = ({ settings, clock }: Pick<World, 'settings' | 'clock'>, measured: number): number =>
  settings.seed !== undefined && clock.state().frozen ? 0 : measured
