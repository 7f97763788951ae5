import type { Request } from '../http/request.js'

/** What an `Authorization: Bearer …` header carries; undefined when there is none. The scheme is case-insensitive. */
export function bearerOf(headers: Request['headers']): string | undefined {
  return /^bearer +([^\s]+)\s*$/i.exec(headers.authorization ?? '')?.[1]
}
