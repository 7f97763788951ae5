/** What the command line shows of a delivery. */
export interface ShownDelivery {
  attempts: { status: number | null; error: string | null }[]
}

/** The delivery with what went wrong with its last attempt; null when nothing did. */
export function withLastError<D extends ShownDelivery>(delivery: D): D & { error: string | null } {
  const last = delivery.attempts.at(-1)
  const refused = last?.status != null && last.status >= 300 ? `the app answered ${last.status}` : null
  return { ...delivery, error: last?.error ?? refused }
}
