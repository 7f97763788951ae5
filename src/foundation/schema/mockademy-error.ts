/**
 * Base class of the errors of this package. `code` distinguishes its subclasses, also between two copies of the package.
 * @example
 * await startEmulator(options).catch((error) => {
 *   if (!(error instanceof MockademyError)) throw error
 *   console.error(error.code, error.message) // ERR_START Port 4600 is in use. …
 * })
 */
export abstract class MockademyError extends Error {
  abstract readonly code: string
}
