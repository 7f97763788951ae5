import { type App, callOf, type Installation, type Token } from '../api/call.js'
import { dateTime, fromNow, isOver } from '../api/clock.js'
import { useList } from '../api/resource.js'
import { Action } from '../components/action.js'
import { queryValue, setQuery } from '../components/address.js'
import { Facts, Moment, recordLink, State } from '../components/facts.js'
import { FormAction } from '../components/form.js'
import { actions, type Column, column, Head, List, ListView, RowLink } from '../components/list.js'
import { Json } from '../components/message.js'
import { SendEvent } from './deliveries.js'
import { Installed, InstallForm, NoInstalls, versionOptions } from './install-form.js'

/** Installations of apps in organizations, with their tokens. console: Views, Installations */
export function InstallationsView() {
  const installations = useList('listInstallations')
  const { items: apps } = useList('listApps')
  const isAll = queryValue('all') === '1'
  const shown = installations.items
    .filter(({ state }) => isAll || state === 'installed' || state === 'uninstalling')
    .toReversed()
  return (
    <ListView
      title="Installations"
      head={<InstallForm />}
      filters={
        <div class="filters">
          <label class="inline">
            <input
              type="checkbox"
              checked={isAll}
              onChange={({ currentTarget }) => setQuery('all', currentTarget.checked ? '1' : '')}
            />{' '}
            Show ended installations
          </label>
          <span class="soft">{shown.length} shown</span>
        </div>
      }
      noun="Installation"
      find={(id) => installations.items.find((installation) => installation.id === id)}
      detail={(installation) => (
        <InstallationDetail
          key={installation.id}
          installation={installation}
          app={apps.find(({ id }) => id === installation.app)}
        />
      )}
      caption="Installations, newest first"
      columns={columns}
      {...installations}
      items={shown}
      empty={<NoInstalls title="No installations yet" />}
    />
  )
}

const columns: Column<Installation>[] = [
  column('State', '', ({ state }) => <State state={state} />),
  column('App', 'c-what wrap', ({ id, app }) => <RowLink id={id} name={app} />),
  column('Organization', 'wrap', ({ organization }) => organization),
  column('Version', 'c-count wrap', ({ version }) => version),
  column('Scopes', 'c-app', ({ scope }) => scope),
  column('Installed', 'c-org nowrap', ({ installed_at }) => dateTime(installed_at)),
]

function InstallationDetail({ installation, app }: { installation: Installation; app: App | undefined }) {
  const { id, organization, state, version, scope, installer, installed_at, ended_at } = installation
  const tokens = useList('listTokens', { query: { installation: id } })
  // A token expires without a change of its record.
  const items = tokens.items.map((token) =>
    token.state === 'active' && isOver(token.expires_at, organization)
      ? { ...token, state: 'expired' as const }
      : token,
  )
  const others = app?.versions.map((each) => each.version).filter((each) => each !== version) ?? []
  const columns: Column<Token>[] = [...tokenColumns, actions((token) => <TokenActions token={token} tokens={items} />)]
  return (
    <>
      <h2 class="exchange">
        <bdi>{app?.name ?? installation.app}</bdi> <span class="soft">in</span> {organization}
      </h2>
      <p class="line">
        <State state={state} /> <span>{version}</span>
      </p>
      {state === 'installed' && (
        <div class="toolbar">
          <FormAction
            label="Upgrade"
            call="upgrade"
            params={{ id }}
            intro={<p>This revokes the tokens of the installation and starts another one.</p>}
            fields={{ version: { options: versionOptions(others), hint: '' } }}
            result={(result) => <Installed result={result} />}
          />
          <SendEvent installation={id} />
          <Action
            label="Uninstall"
            call={callOf('uninstall', { params: { id } })}
            loses={`This uninstalls ${installation.app} from ${organization}. The emulator sends app.uninstalled, then revokes its tokens.`}
          />
        </div>
      )}
      <Facts
        of={{
          App: recordLink('apps', installation.app),
          Organization: recordLink('organizations', organization),
          Scopes: scope || 'none',
          Installer: installer,
          Installed: <Moment at={installed_at} of={organization} />,
          Ended: ended_at && <Moment at={ended_at} of={organization} />,
          Installation: <code>{id}</code>,
        }}
      />
      <Head title="Tokens" level="h3">
        {state === 'installed' && (
          <FormAction
            label="Mint"
            title="Mint tokens"
            call="mintTokens"
            initial={{ app: installation.app, organization }}
            result={(pair) => <Json of={pair} label="Tokens" />}
          />
        )}
        {items.some((token) => token.state === 'active') && (
          <>
            <Action label="Expire access tokens" call={callOf('expireTokens', { body: { installation: id } })} />
            <Action
              label="Revoke all"
              call={callOf('revokeTokens', { body: { installation: id } })}
              what="Revoke all tokens"
              loses="The app loses every token and needs another install."
            />
          </>
        )}
      </Head>
      <List
        caption="Tokens, newest first"
        class="stack tokens"
        columns={columns}
        {...tokens}
        items={items.toReversed()}
        limit={100}
        empty={<p class="soft">No tokens.</p>}
      />
    </>
  )
}

const tokenColumns: Column<Token>[] = [
  column('State', '', ({ state }) => <State state={state} />),
  column('Token', 'c-what', ({ kind, last_four, user, state, scope, expires_at, organization }) => (
    <>
      {kind} <code>…{last_four}</code> {recordLink('sign-in', user)}{' '}
      {state === 'active' && (
        <span class="nowrap" title={dateTime(expires_at)}>
          expires {fromNow(expires_at, organization)}
        </span>
      )}
      <div class="soft small">{scope}</div>
    </>
  )),
]

/** A call cannot select one token without its secret, so it selects by kind, grant and user; the label has their number. */
function TokenActions({ token, tokens }: { token: Token; tokens: Token[] }) {
  const { installation, kind, grant, user, last_four } = token
  if (token.state !== 'active') return null
  const body = { installation, kind, grant, ...(user && { user }), state: 'active' as const }
  const alike = tokens.filter(
    (each) => each.state === 'active' && each.kind === kind && each.grant === grant && (!user || each.user === user),
  ).length
  const calls = { Expire: callOf('expireTokens', { body }), Revoke: callOf('revokeTokens', { body }) }
  return (
    <>
      {Object.entries(calls).map(([verb, call]) => {
        const label = alike > 1 ? `${verb} ${alike} like this` : verb
        return (
          <Action
            key={verb}
            label={label}
            what={`${label}: ${kind} token ending in ${last_four}`}
            call={call}
            loses={alike > 1 && verb === 'Revoke' ? `This revokes ${alike} tokens.` : undefined}
          />
        )
      })}
    </>
  )
}
