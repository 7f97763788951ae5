import type { Response } from '../../emulator/serving/response.js'
import type { World } from '../../emulator/world/world.js'
import { csrfField } from './forms.js'
import { html } from './html.js'
import { htmlPage } from './page.js'
import type { SignedIn } from './sessions.js'

/** Asks before the session ends: an address alone, which any page can make a browser fetch, ends none. wire: §6 "sign-in" */
export function signOutPage(world: Pick<World, 'formKey'>, session: SignedIn | undefined): Response {
  const { user } = session ?? {}
  const said = !user
    ? 'You are not signed in.'
    : session?.session.ambient
      ? `The control API has made ${user.email} the user of every browser without a session of its own.`
      : `You are signed in as ${user.email}.`
  const body = html`<section class="card">
<h1>Sign out</h1>
<p>${said}</p>
<form method="post" action="/logout">
${csrfField(world, session)}
<div class="actions"><button>Sign out</button><a class="button quiet" href="/">Cancel</a></div>
</form>
</section>`
  return htmlPage({ title: 'Sign out', body, user })
}
