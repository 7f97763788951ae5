/** A change that could not be made durable. */
export class StoreWriteError extends Error {
  override readonly name = 'StoreWriteError'
}
