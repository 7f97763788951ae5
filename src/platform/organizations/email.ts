import * as z from 'zod'

/** RFC 5321 §4.5.3.1.3. Its length comes first: an expression may take too long or too much for megabytes. */
const LONGEST_EMAIL = 254

/** True for an email address of at most 254 characters. */
export const isEmail = (text: string): boolean => text.length <= LONGEST_EMAIL && z.email().safeParse(text).success
