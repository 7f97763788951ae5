/** A change that could not be made durable. */
export class StoreWriteError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StoreWriteError'
  }
}
