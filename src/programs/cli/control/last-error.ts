/** What the command line shows of a delivery. */
export interface ShownDelivery {
  attempts: { error: string | null }[]
}

/** The delivery with what went wrong with its last attempt; null when nothing did. */
export function withLastError<D extends ShownDelivery>(delivery: D): D & { error: string | null } {
  return { ...delivery, error: delivery.attempts.at(-1)?.error ?? null }
}
