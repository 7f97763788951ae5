import { linkTo } from '../../address.js'
import { useList } from '../../api/resource.js'
import type { App, Installation, InstallResult, Token } from '../../api/shapes.js'
import { dateTime, fromNow } from '../../emulator-time.js'
import { Action } from '../../parts/action.js'
import { ActionsHead } from '../../parts/actions-head.js'
import { Waiting } from '../../parts/empty.js'
import { Facts, Moment } from '../../parts/facts.js'
import { FormAction, given } from '../../parts/form-action.js'
import { State } from '../../parts/status.js'
import { Installed } from './install-form.js'

const at = (id: string) => `/_admin/installations/${encodeURIComponent(id)}`

/** One installation: what may be done with it, and its tokens. */
export function InstallationDetail({ installation, app }: { installation: Installation; app: App | undefined }) {
  const { id, organization, state } = installation
  const {
    items: tokens,
    ready,
    problem,
  } = useList<Token>(`/_admin/tokens?installation=${encodeURIComponent(id)}`, ['tokens', 'clock'])
  const others = (app?.versions ?? [])
    .map(({ version }) => version)
    .filter((version) => version !== installation.version)
  return (
    <>
      <h2 class="exchange">
        {app?.name ?? installation.app} <span class="soft">in</span> {organization}
      </h2>
      <p class="line">
        <State state={state} /> <span class="num">{installation.version}</span>
      </p>
      {state === 'installed' && (
        <div class="toolbar">
          <FormAction
            label="Upgrade"
            title="Upgrade"
            small
            quiet
            intro={
              <p>The emulator revokes the tokens of this installation and starts a new one with the other version.</p>
            }
            fields={() => [
              {
                name: 'version',
                label: 'Version',
                options: [
                  { value: '', label: 'Newest' },
                  ...others.map((version) => ({ value: version, label: version })).toReversed(),
                ],
              },
            ]}
            call={({ version }) => ({ method: 'POST', path: `${at(id)}/upgrade`, body: given({ version }) })}
            result={(answer) => <Installed result={answer as InstallResult} />}
          />
          <Action
            label="Uninstall"
            call={{ method: 'DELETE', path: at(id) }}
            confirm={{
              title: 'Uninstall',
              loses: `This uninstalls ${installation.app} from ${organization}. The emulator sends app.uninstalled, then revokes all tokens of the installation.`,
            }}
          />
        </div>
      )}
      <Facts
        of={[
          ['App', installation.app],
          [
            'Organization',
            <a key="o" href={linkTo('organizations', organization)}>
              {organization}
            </a>,
          ],
          ['Scopes', installation.scope || 'none'],
          ['Installer', installation.installer],
          ['Installed', <Moment key="at" at={installation.installed_at} />],
          ['Ended', installation.ended_at && <Moment at={installation.ended_at} />],
          ['Installation', <code key="id">{id}</code>],
        ]}
      />
      <div class="head">
        <h3>Tokens</h3>
        {tokens.some((token) => token.state === 'active') && <AllTokens installation={id} />}
      </div>
      {!ready && <Waiting problem={problem} />}
      {ready && tokens.length === 0 && <p class="soft">No tokens.</p>}
      {tokens.length > 0 && <TokenTable tokens={tokens} />}
    </>
  )
}

function AllTokens({ installation }: { installation: string }) {
  return (
    <>
      <Action
        label="Expire access tokens"
        call={{ method: 'POST', path: '/_admin/tokens/expire', body: { installation } }}
      />
      <Action
        label="Revoke all"
        call={{ method: 'POST', path: '/_admin/tokens/revoke', body: { installation } }}
        confirm={{
          title: 'Revoke all tokens',
          loses:
            'This revokes every token of the installation. The app cannot refresh, and gets new tokens only from another install.',
        }}
      />
    </>
  )
}

const DRAWN = 100

function TokenTable({ tokens }: { tokens: Token[] }) {
  const shown = tokens.toReversed().slice(0, DRAWN)
  return (
    <>
      <table class="tokens">
        <caption class="visually-hidden">Tokens, newest first</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Token</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {shown.map((token) => (
            <tr key={token.id}>
              <td>
                <State state={token.state} />
              </td>
              <td class="c-what">
                {token.kind} <code>…{token.last_four}</code>{' '}
                {token.user && <a href={linkTo('sign-in', token.user)}>{token.user}</a>}
                {token.state === 'active' && (
                  <span class="num nowrap" title={dateTime(token.expires_at)}>
                    expires {fromNow(token.expires_at)}
                  </span>
                )}
                <div class="soft small">{token.scope}</div>
              </td>
              <td class="c-actions">{token.state === 'active' && <TokenActions token={token} tokens={tokens} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {tokens.length > DRAWN && (
        <p class="soft">
          Showing the newest {DRAWN} of {tokens.length}.
        </p>
      )}
    </>
  )
}

/** A token cannot be named without its secret, so the call names what it has; how many that meets is said. */
function TokenActions({ token, tokens }: { token: Token; tokens: Token[] }) {
  const { installation, kind, grant, user } = token
  const body = { installation, kind, grant, ...(user && { user }), state: 'active' }
  const alike = tokens.filter(
    (it) => it.state === 'active' && it.kind === kind && it.grant === grant && (!user || it.user === user),
  ).length
  const label = (verb: string) => (alike > 1 ? `${verb} ${alike} like this` : verb)
  const what = (verb: string) => `${label(verb)}: ${kind} token ending in ${token.last_four}`
  return (
    <>
      <Action
        label={label('Expire')}
        what={what('Expire')}
        call={{ method: 'POST', path: '/_admin/tokens/expire', body }}
      />
      <Action
        label={label('Revoke')}
        what={what('Revoke')}
        call={{ method: 'POST', path: '/_admin/tokens/revoke', body }}
      />
    </>
  )
}
