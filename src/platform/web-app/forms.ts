import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { World } from '../../emulator/world/world.js'
import { contentTypeIssue } from '../../foundation/http/content-type.js'
import { Refusal } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { type Html, html } from './html.js'
import type { SignedIn } from './sessions.js'

/** The token of visitors' forms. It must be of this world and unknown to other origins; with a seed it is reproducible. */
export const createFormKey = (seed: string | undefined): string =>
  seed === undefined
    ? randomBytes(32).toString('base64url')
    : createHash('sha256').update(`form:${seed}`).digest('base64url')

const tokenFor = (world: Pick<World, 'formKey'>, session: SignedIn | undefined) =>
  session?.session.csrf ?? world.formKey

/** The hidden field that shows that a form came from one of this session's own pages. */
export const csrfField = (world: Pick<World, 'formKey'>, session: SignedIn | undefined): Html =>
  html`<input type="hidden" name="csrf" value="${tokenFor(world, session)}">`

/**
 * The fields of a form that one of our pages has sent.
 * @throws Refusal 403 when it does not carry the session's token, 413 when it is too large, 400 when it is no form.
 */
export function readPageForm(
  world: Pick<World, 'formKey'>,
  request: Request,
  session: SignedIn | undefined,
): URLSearchParams {
  if (request.bodyTooLarge) throw new Refusal('too_large')
  const reason = contentTypeIssue('form', request)
  if (reason !== undefined) {
    throw new Refusal('invalid', { message: 'This address takes what a form on one of its pages sends.', reason })
  }
  const form = new URLSearchParams(request.body.toString('utf8'))
  const given = Buffer.from(form.get('csrf') ?? '')
  const token = Buffer.from(tokenFor(world, session))
  if (given.length === token.length && timingSafeEqual(given, token)) return form
  throw new Refusal('forbidden', {
    message: 'This form has expired. Go back, load the page again and repeat what you did.',
    reason: form.has('csrf') ? 'The csrf field is not the one of this session' : 'The form has no csrf field',
  })
}
