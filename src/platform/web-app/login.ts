import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import type { UserRecord } from '../organizations/user-record.js'
import { confirmationPage, csrfField, type FormWorld } from './forms.js'
import { html, htmlPage } from './page.js'
import type { SignedIn } from './sessions.js'

/** Returns the path to go to after signing in: of the web app, never of another host. */
export function localPath(text: string | null): string {
  if (text === null || !text.startsWith('/')) return '/'
  const base = 'http://web-app.invalid'
  if (!URL.canParse(text, base)) return '/'
  const { origin, pathname, search } = new URL(text, base)
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/'
}

export const loginPath = (returnTo: string) => `/login?return_to=${encodeURIComponent(returnTo)}`

/** The most users listed before a search is needed. */
const SHOWN = 100

/** Returns the users of the world, to pick one. wire: §6 "sign-in" */
export function loginPage(
  world: FormWorld,
  session: SignedIn | undefined,
  returnTo: string,
  search: string | null,
): Response {
  const all = [...world.store.users.all]
  const found = search ? all.filter((user) => matches(user, search)) : all
  const users = found.slice(0, SHOWN)
  const people = users.map(
    (user) => html`<li><button class="person" name="user" value="${user.id}">
<span class="avatar" aria-hidden="true">${initials(user)}</span>
<span class="lines"><strong>${user.full_name || user.email}</strong>
<span class="soft small">${user.email}</span>
<span class="tags">${membershipTags(world, user)}</span></span>
</button></li>`,
  )
  const body = html`<section class="card">
<h1>Sign in</h1>
<p class="soft">Pick who you are. There are no passwords here.</p>
${all.length > SHOWN && searchForm(returnTo, search)}
<form method="post" action="/login">
${csrfField(world, session)}
<input type="hidden" name="return_to" value="${returnTo}">
${people.length > 0 ? html`<ul class="plain people">${people}</ul>` : html`<p class="note warn">${search ? 'No user has that name or email.' : 'This world has no users yet.'}</p>`}
${found.length > SHOWN && html`<p class="soft small">${found.length - SHOWN} more are not shown: use the search.</p>`}
</form>
</section>`
  return htmlPage({ title: 'Sign in', body, user: session?.user })
}

const matches = ({ full_name, email, id }: UserRecord, search: string) =>
  [full_name, email, id].some((text) => text.toLowerCase().includes(search.trim().toLowerCase()))

const searchForm = (returnTo: string, search: string | null) => html`<form method="get" action="/login" role="search">
<input type="hidden" name="return_to" value="${returnTo}">
<label for="search">Name or email</label>
<div class="search"><input id="search" type="search" name="search" value="${search ?? ''}"><button class="quiet">Search</button></div>
</form>`

const membershipTags = ({ store }: Pick<World, 'store'>, user: UserRecord) =>
  [...store.memberships.in('user', user.id)].map(({ organization, role }) => {
    const name = store.organizations.get(organization)?.name ?? organization
    return html`<span class="tag">${name}: ${role}</span> `
  })

const initials = ({ first_name, last_name, email }: UserRecord) =>
  ([...first_name].slice(0, 1).join('') + [...last_name].slice(0, 1).join('') || [...email][0] || '').toUpperCase()

/** Asks before the session ends: an address alone, which any page can make a browser fetch, ends none. wire: §6 "sign-in" */
export function signOutPage(world: Pick<World, 'formKey'>, session: SignedIn | undefined): Response {
  const email = session?.user.email
  let text = email === undefined ? 'You are not signed in.' : `You are signed in as ${email}.`
  if (session?.session.ambient) {
    text = `The control API has made ${email} the user of every browser without a session of its own.`
  }
  const title = 'Sign out'
  return confirmationPage(world, session, { title, text, action: '/logout', button: title, cancel: '/' })
}
