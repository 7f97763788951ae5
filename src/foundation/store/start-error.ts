import { MockademyError } from '../schema/mockademy-error.js'

/**
 * An emulator that cannot start: the port is in use, the store is in use, unreadable or seeded from other fixtures, or
 * `mockademy.json` cannot be read.
 * @example
 * await startEmulator({ port: 4600 }) // Port 4600 is in use. Choose another with --port, or --port 0 for any free one.
 */
export class StartError extends MockademyError {
  static override readonly name: string = 'StartError'
  readonly code = 'ERR_START'

  constructor(
    /** Exit status of the command line: 1 for a port that is in use, 2 for invalid input. */
    readonly exitStatus: 1 | 2,
    message: string,
  ) {
    super(message)
  }
}
