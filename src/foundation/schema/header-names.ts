import * as z from 'zod'
import { isObject } from './is-object.js'

/** Headers that the body determines; set by hand, they would make the message invalid. */
const FRAMING = ['content-length', 'transfer-encoding']

export const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a header value')

/**
 * Headers as users give them, so that each valid one can be sent. zod's record would drop `__proto__`.
 * RFC 9110 §5.1, §5.5
 */
export const headersSchema = z.preprocess(
  (headers, { issues }) => {
    if (isObject(headers) && Object.hasOwn(headers, '__proto__')) {
      issues.push({ code: 'custom', input: headers, path: ['__proto__'], message: 'cannot be sent' })
    }
    return headers
  },
  z.record(
    z
      .string()
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a header name: no spaces, no separators such as : or /')
      .refine((name) => !FRAMING.includes(name.toLowerCase()), 'is set by the length of the body'),
    headerValue,
  ),
)
