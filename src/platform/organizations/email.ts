import * as z from 'zod'
import type { World } from '../../emulator/world/world.js'
import { invalid, Refusal } from '../../foundation/http/refusal.js'

/** RFC 5321 §4.5.3.1.3. Its length comes first: an expression may take too long or too much for megabytes. */
const MAX_EMAIL_LENGTH = 254

/** Returns true for an email address of at most 254 characters. */
export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && z.email().safeParse(text).success

/**
 * Rejects an email that a user cannot have. @param self the user whose email it may be already.
 * @throws Refusal 400 for text that is no email address, 409 for the email of another user.
 */
export function checkEmail({ store }: Pick<World, 'store'>, email: string, path: string, self?: string): void {
  if (!isEmail(email)) throw invalid([{ path, message: 'must be an email address' }])
  const owner = store.users.by('email', email.toLowerCase())
  if (!owner || owner.id === self) return
  throw new Refusal('conflict', { details: [{ path, message: 'is the email of another user' }] })
}
