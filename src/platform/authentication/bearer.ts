import type { Request } from '../../foundation/http/request.js'

const BEARER = /^bearer +([^\s]+)\s*$/i

/** The header that was read last: authentication, journal and findings ask for the same one. */
let last: { header: string; bearer: string | undefined } = { header: '', bearer: undefined }

/** Returns the credential of an `Authorization: Bearer …` header; undefined when there is none. The scheme is case-insensitive. */
export function bearerOf({ authorization: header = '' }: Request['headers']): string | undefined {
  if (header !== last.header) last = { header, bearer: BEARER.exec(header)?.[1] }
  return last.bearer
}
