import { useSignal } from '@preact/signals'
import { variableLines, variablesOf } from '../../../control/start/environment-variables.js'
import type { Issue } from '../../../foundation/schema/issue.js'
import { type App, callOf, type Secrets } from '../api/call.js'
import { controlDocument } from '../api/form-fields.js'
import { useList, useResource } from '../api/resource.js'
import { Action } from '../parts/action.js'
import { closeRecord } from '../parts/address.js'
import { assign, Button, Copy } from '../parts/button.js'
import { Facts, Moment, recordLink, Warnings } from '../parts/facts.js'
import { FormAction } from '../parts/form.js'
import { type JsonSchema, schemaIssues } from '../parts/json-issues.js'
import { Head } from '../parts/list.js'
import { Json, TextBox } from '../parts/message.js'
import { InstallForm } from './install-form.js'

/** Returns the issues of a manifest while it is being written. The emulator checks it in any case. */
export function manifestIssues(text: string): Issue[] {
  const schema = controlDocument.value?.components.schemas.Manifest
  try {
    const manifest: unknown = JSON.parse(text)
    return schema ? schemaIssues(schema as JsonSchema, manifest) : []
  } catch (error) {
    return [{ path: '', message: `This is not valid JSON: ${(error as Error).message}` }]
  }
}

/** The lines that `mockademy env --app` prints; that of the API key on request, since it takes the whole world to find it. */
export function EnvironmentLines({ app, secrets }: { app: Pick<App, 'client_id'>; secrets: Secrets }) {
  const { data } = useResource('world')
  const apiKey = useSignal<string | undefined>(undefined)
  const source = {
    url: data?.base_url,
    app_url: data?.app_url,
    api_key: apiKey.value,
    client_id: app.client_id,
    client_secret: secrets.client_secret,
    signing_secret: secrets.signing_secret,
  }
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

/** One app with its secrets, versions and installations. */
export function AppDetail({ app }: { app: App }) {
  const { id, client_id, name, versions } = app
  const { items: installations } = useList('listInstallations')
  const secrets = useSignal<Secrets | undefined>(undefined)
  const newest = versions.at(-1)
  const installedIn = installations.filter((each) => each.app === id && each.state === 'installed')
  return (
    <>
      <h2 class="exchange">
        {name} <span class="soft">{id}</span>
      </h2>
      <div class="toolbar">
        <InstallForm app={id} />
        <FormAction
          label="Push a manifest"
          call="pushManifest"
          params={{ app: id }}
          intro={
            <p>A new version is added; an existing one is replaced. Installations keep theirs until an upgrade.</p>
          }
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
          loses={`This deletes ${name} with its versions and secrets, and its installations with their tokens.`}
        />
      </div>
      <Facts
        of={{
          'Client id': secret(client_id, 'the client id'),
          'Client secret': secret(secrets.value?.client_secret, 'the client secret'),
          'Signing secret': secret(secrets.value?.signing_secret, 'the signing secret'),
          Secrets: !secrets.value && (
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
          <Head title="Environment" level="h3">
            <Button onClick={assign(secrets, undefined)}>Hide the secrets</Button>
          </Head>
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
