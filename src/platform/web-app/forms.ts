import { hash, randomBytes } from 'node:crypto'
import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import { contentCodingIssue, contentTypeIssue } from '../../foundation/http/content-type.js'
import { Refusal, refuseTooLarge } from '../../foundation/http/refusal.js'
import type { Request } from '../../foundation/http/request.js'
import { isSameSecret } from '../authentication/same-secret.js'
import type { OrganizationRecord } from '../organizations/organization-record.js'
import { type Html, html, htmlPage } from './page.js'
import type { SignedIn } from './sessions.js'

/** Returns the token of visitors' forms. It must be of this world and unknown to other origins; with a seed it is reproducible. */
export const createFormKey = (seed: string | undefined): string =>
  seed === undefined ? randomBytes(32).toString('base64url') : hash('sha256', `form:${seed}`, 'base64url')

/** The parts of a world that a page with a form needs: records, and the key of its visitors' tokens. */
export type FormWorld = Pick<World, 'formKey' | 'store'>

const tokenFor = (world: Pick<World, 'formKey'>, session: SignedIn | undefined) =>
  session?.session.csrf ?? world.formKey

/** Returns the hidden field that shows that a form came from one of this session's own pages. */
export const csrfField = (world: Pick<World, 'formKey'>, session: SignedIn | undefined): Html =>
  html`<input type="hidden" name="csrf" value="${tokenFor(world, session)}">`

/** Returns the hidden field of the organization that a form is about. */
export const organizationField = (slug: string): Html => html`<input type="hidden" name="organization" value="${slug}">`

/** Returns a choice of one of several organizations, at first the first one. Sent as `organization`. */
export const organizationPicker = (organizations: OrganizationRecord[]): Html => html`<fieldset>
<legend>In which organization?</legend>
${organizations.map(
  ({ id, name }, index) => html`<label class="choice">
<input type="radio" name="organization" value="${id}"${index === 0 && html` checked`}>
<span>${name} <span class="soft small">${id}</span></span></label>`,
)}
</fieldset>`

/** @throws Refusal 413 when the form is too large, 400 when it is no form. */
export function readPageForm(request: Request): URLSearchParams {
  refuseTooLarge(request)
  const reason = contentTypeIssue('form', request) ?? contentCodingIssue(request)
  if (reason !== undefined) {
    throw new Refusal('invalid', { message: 'This address accepts only forms sent from its own pages.', reason })
  }
  return new URLSearchParams(request.body.toString('utf8'))
}

/** Returns why a form does not come from one of this session's own pages; undefined when it does. */
export function csrfIssue(world: Pick<World, 'formKey'>, form: URLSearchParams, session: SignedIn | undefined) {
  if (!form.has('csrf')) return 'The form has no csrf field'
  const isOwn = isSameSecret(form.get('csrf') ?? '', tokenFor(world, session))
  return isOwn ? undefined : 'The csrf field is not the one of this session'
}

interface Question {
  title: string
  text: Html | string
  /** The path that the form is sent to. */
  action: string
  fields?: Html | undefined
  /** The button that goes on; the other one leads to `cancel`. */
  button: string
  cancel: string
}

/** Returns a page that asks before something is done. */
export function confirmationPage(
  world: Pick<World, 'formKey'>,
  session: SignedIn | undefined,
  { title, text, action, fields, button, cancel }: Question,
): Response {
  const body = html`<section class="card">
<h1>${title}</h1>
<p>${text}</p>
<form method="post" action="${action}">
${csrfField(world, session)}
${fields}
<div class="actions"><button>${button}</button><a class="button quiet" href="${cancel}">Cancel</a></div>
</form>
</section>`
  return htmlPage({ title, body, user: session?.user })
}

/** The hidden field by which a form says that its sender was asked. */
export const sureField = html`<input type="hidden" name="sure" value="yes">`
