import { Chance } from '../../emulator/liberties/chance.js'

/** The draws of invented worlds and people: the same seed draws the same in every run, version and machine. */
export class Draws extends Chance {
  protected override seedOf(block: number): string {
    return `${block} ${this.text}`
  }

  token(length: number): string {
    return this.characters('abcdefghijklmnopqrstuvwxyz0123456789', length)
  }
}
