import { useSignal } from '@preact/signals'
import { variableLines, variablesOf } from '../../../control/start/environment-variables.js'
import type { Issue } from '../../../foundation/schema/issue.js'
import { type App, callOf, createCommand, firstManifest, type Secrets } from '../api/call.js'
import { controlDocument } from '../api/form-fields.js'
import { useList, useResource } from '../api/resource.js'
import { Action } from '../components/action.js'
import { closeRecord } from '../components/address.js'
import { assign, Button, Copy } from '../components/button.js'
import { Facts, Moment, recordLink, Warnings } from '../components/facts.js'
import { FormAction } from '../components/form.js'
import { schemaIssues } from '../components/json-issues.js'
import { type Column, column, Empty, ListView, RowLink } from '../components/list.js'
import { Json, TextBox } from '../components/message.js'
import { InstallForm } from './install-form.js'

/** Apps with their secrets, versions and manifests. dev: Console */
export function AppsView() {
  return (
    <ListView
      title="Apps"
      head={
        <FormAction
          label="Create an app"
          primary
          call="createApp"
          fields={{
            manifest: { rows: 20, issuesOf: manifestIssues },
            client_id: { half: true },
            client_secret: { half: true },
            signing_secret: { half: true },
          }}
          initial={{ manifest: JSON.stringify(firstManifest, null, 2) }}
          result={(app) => (
            <>
              <p>
                <b>{app.name}</b> is created. Give your app these variables, then install it.
              </p>
              <Warnings of={app.warnings} />
              <EnvironmentLines app={app} secrets={app} />
            </>
          )}
        />
      }
      noun="App"
      detail={(app) => <AppDetail key={app.id} app={app} />}
      columns={columns}
      {...useList('listApps')}
      empty={
        <Empty title="No apps yet" command={createCommand}>
          Begin with the manifest of your app, then install it.
        </Empty>
      }
    />
  )
}

const columns: Column<App>[] = [
  column('App', 'c-what', ({ id, name }) => <RowLink id={id} name={name} path={id} />),
  column('Version', 'wrap', ({ versions }) => versions.at(-1)?.version),
  column('Client id', 'c-app', ({ client_id }) => <code>{client_id}</code>),
]

/** Returns the issues of a manifest while it is being written. The emulator checks it in any case. */
function manifestIssues(text: string): Issue[] {
  const schema = controlDocument.value?.components.schemas.Manifest
  try {
    const manifest: unknown = JSON.parse(text)
    return schema ? schemaIssues(schema, manifest) : []
  } catch (error) {
    return [{ path: '', message: `This is not valid JSON: ${(error as Error).message}` }]
  }
}

/** The lines that `mockademy env --app` prints; that of the API key on request, since it takes the whole world to find it. */
function EnvironmentLines({ app, secrets }: { app: Pick<App, 'client_id'>; secrets: Secrets }) {
  const { data } = useResource('world')
  const apiKey = useSignal<string | undefined>(undefined)
  const source = { ...app, ...secrets, url: data?.base_url, app_url: data?.app_url, api_key: apiKey.value }
  return (
    <>
      {data && <TextBox text={variableLines(variablesOf(source))} label="Environment" />}
      {!apiKey.value && (
        <Action
          label="Add the API key"
          what="Add the API key of the first organization"
          call={callOf('getState')}
          onDone={({ organizations = [] }) => {
            apiKey.value = organizations[0]?.api_key ?? undefined
          }}
        />
      )}
    </>
  )
}

const secret = (value: string | undefined, what: string) =>
  value && (
    <>
      <code>{value}</code> <Copy text={() => value} what={what} />
    </>
  )

function AppDetail({ app }: { app: App }) {
  const { id, client_id, name, versions } = app
  const { items: installations } = useList('listInstallations')
  const secrets = useSignal<Secrets | undefined>(undefined)
  const newest = versions.at(-1)
  const installedIn = installations.filter((each) => each.app === id && each.state === 'installed')
  return (
    <>
      <h2 class="exchange">
        <bdi>{name}</bdi> <span class="soft">{id}</span>
      </h2>
      <div class="toolbar">
        <InstallForm app={id} />
        <FormAction
          label="Push a manifest"
          call="pushManifest"
          params={{ app: id }}
          intro={<p>A new version is added, an existing one replaced. Installations keep theirs until upgraded.</p>}
          fields={{ body: { label: 'Manifest', rows: 20, issuesOf: manifestIssues } }}
          initial={{ body: JSON.stringify(newest?.manifest, null, 2) }}
          result={({ versions: all, warnings }) => (
            <>
              <p>Pushed. The newest version is {all.at(-1)?.version}.</p>
              <Warnings of={warnings} />
            </>
          )}
        />
        <Action
          label="Delete"
          what={`Delete ${name}`}
          call={callOf('deleteApp', { params: { app: id } })}
          onDone={closeRecord}
          loses={`This deletes ${id} with its versions and secrets, and its installations with their tokens.`}
        />
      </div>
      <Facts
        of={{
          'Client id': secret(client_id, 'the client id'),
          'Client secret': secret(secrets.value?.client_secret, 'the client secret'),
          'Signing secret': secret(secrets.value?.signing_secret, 'the signing secret'),
          Secrets: secrets.value ? (
            <Button aria-label="Hide the secrets" onClick={assign(secrets, undefined)}>
              Hide
            </Button>
          ) : (
            <Action
              label="Show"
              what="Show the secrets"
              call={callOf('getAppSecrets', { params: { app: id } })}
              onDone={(shown) => {
                secrets.value = shown
              }}
            />
          ),
        }}
      />
      {secrets.value && (
        <>
          <h3>Environment</h3>
          <EnvironmentLines app={app} secrets={secrets.value} />
        </>
      )}
      <h3>Installed in</h3>
      {installedIn.length === 0 && <p class="soft">No organization.</p>}
      <ul class="plain">
        {installedIn.map((each) => (
          <li key={each.id}>
            {recordLink('installations', each.id, each.organization)} <span class="soft">{each.version}</span>
          </li>
        ))}
      </ul>
      <h3>Versions</h3>
      {versions.toReversed().map(({ version, manifest, pushed_at }) => (
        <details key={version}>
          <summary>
            <b>{version}</b> pushed <Moment at={pushed_at} />
          </summary>
          <Json of={manifest} label={`Manifest of ${version}`} />
        </details>
      ))}
    </>
  )
}
