import { drawsFrom } from '../generator/draws.js'

/** An id that a fixture document takes; one that it does not take becomes another, the same one each time. */
export const fitId = (id: string): string => (/^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : drawsFrom(`id ${id}`).token(16))
