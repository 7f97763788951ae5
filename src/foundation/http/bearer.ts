import type { Request } from './request.js'

/** Returns the credential of an `Authorization: Bearer …` header; undefined when there is none. The scheme is case-insensitive. */
export const bearerOf = ({ authorization = '' }: Request['headers']): string | undefined =>
  /^bearer +(\S+)\s*$/i.exec(authorization)?.[1]
