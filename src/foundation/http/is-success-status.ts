/** Returns true for a 2xx. @param status null: there was no response. */
export const isSuccessStatus = (status: number | null): boolean => status !== null && status >= 200 && status < 300
