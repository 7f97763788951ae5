import { type App, createCommand } from '../api/call.js'
import { useList } from '../api/resource.js'
import { Warnings } from '../parts/facts.js'
import { FormAction } from '../parts/form.js'
import { type Column, column, Empty, ListView, RowLink } from '../parts/list.js'
import { AppDetail, EnvironmentLines, manifestIssues } from './app-detail.js'

/** The manifest that the form of a new app begins with. */
const firstManifest = {
  id: 'my-app',
  name: 'My app',
  version: '1.0.0',
  permissions: ['courses:read', 'elements:read', 'openid', 'email'],
  oauth: { install: true, authorize: { redirect_uris: ['http://localhost:3000/callback'] } },
  webhook: { url: 'http://localhost:3000/webhook' },
}

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
          Begin with the manifest of your app, then install it in an organization.
        </Empty>
      }
    />
  )
}

const columns: Column<App>[] = [
  column('App', 'c-what', ({ id, name }) => (
    <RowLink id={id}>
      <b>{name}</b> <span class="path">{id}</span>
    </RowLink>
  )),
  column('Version', '', ({ versions }) => versions.at(-1)?.version),
  column('Client id', 'c-app', ({ client_id }) => <code>{client_id}</code>),
]
