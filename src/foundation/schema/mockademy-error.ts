/** Base class of the errors of this package. `code` tells its subclasses apart, also between two copies of the package. */
export abstract class MockademyError extends Error {
  abstract readonly code: string
}
