/** Returns true for a 2xx. @param status null: there was no response. */
export const isSuccessStatus = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** Returns true for a response of a proxy that cannot reach what is behind it, or not in time. RFC 9110 §15.6 */
export const isGatewayStatus = (status: number): boolean => status >= 502 && status <= 504
