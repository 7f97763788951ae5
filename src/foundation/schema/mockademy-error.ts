/**
 * Base class of the errors of this package. `code` distinguishes its subclasses, also between two copies of the package.
 * @example
 * await startEmulator(options).catch((error) => {
 *   if (!(error instanceof MockademyError)) throw error
 *   console.error(error.code, error.message) // ERR_START Port 4600 is in use. …
 * })
 */
export abstract class MockademyError extends Error {
  // Each class names itself, since minifiers shorten the names of classes, and Node shows them.
  override readonly name: string = this.constructor.name
  abstract readonly code: string
}
