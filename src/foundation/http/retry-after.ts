/** Returns the milliseconds that a `Retry-After` header asks for; undefined if it is missing or invalid. RFC 9110 §10.2.3 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const wait = /^\d+$/.test(header ?? '') ? Number(header) * 1000 : Date.parse(header ?? '') - now
  return Number.isNaN(wait) ? undefined : wait
}
