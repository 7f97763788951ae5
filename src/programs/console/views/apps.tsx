import { type App, type CreatedApp, commandLine } from '../api/call.js'
import { useList } from '../api/resource.js'
import { FormAction } from '../parts/form.js'
import { type Column, Empty, ListView, RowLink } from '../parts/list.js'
import { AppDetail, EnvironmentLines, ManifestWarnings } from './app-detail.js'
import { manifestIssues } from './manifest-issues.js'

/** The manifest that the form of a new app begins with. */
const firstManifest = {
  id: 'my-app',
  name: 'My app',
  version: '1.0.0',
  permissions: ['courses:read', 'elements:read'],
  oauth: { install: true, authorize: { redirect_uris: ['http://localhost:3000/callback'] } },
  webhook: { url: 'http://localhost:3000/webhook' },
}

/** Apps with their secrets, versions and manifests. dev: Console */
export function AppsView() {
  const { items, ready, problem } = useList('listApps')
  return (
    <ListView
      title="Apps"
      head={
        <FormAction
          label="Create an app"
          submit="Create"
          primary
          call="createApp"
          fields={{
            manifest: { rows: 20, issuesOf: manifestIssues },
            client_id: { half: true },
            client_secret: { half: true },
            signing_secret: { half: true },
          }}
          initial={{ manifest: JSON.stringify(firstManifest, null, 2) }}
          result={(app) => <Created app={app} />}
        />
      }
      noun="App"
      find={(id) => items.find((app) => app.id === id)}
      detail={(app) => <AppDetail key={app.id} app={app} />}
      caption="Apps"
      columns={columns}
      items={items}
      keyOf={({ id }) => id}
      state={{ ready, problem }}
      empty={
        <Empty title="No apps yet" command={commandLine('apps create manifest.json')}>
          Begin with the manifest of your app: its name, the permissions that it needs, and the URL of its webhook. Then
          install the app in an organization.
        </Empty>
      }
    />
  )
}

function Created({ app }: { app: CreatedApp }) {
  return (
    <>
      <p>
        <b>{app.name}</b> is created. Give your app these variables, then install it.
      </p>
      <ManifestWarnings of={app.warnings} />
      <EnvironmentLines app={app} secrets={app} />
    </>
  )
}

const columns: Column<App>[] = [
  {
    head: 'App',
    class: 'c-what',
    cell: ({ id, name }) => (
      <RowLink id={id}>
        <b>{name}</b> <span class="path">{id}</span>
      </RowLink>
    ),
  },
  { head: 'Version', cell: ({ versions }) => versions.at(-1)?.version },
  { head: 'Client id', class: 'c-app', cell: ({ client_id }) => <code>{client_id}</code> },
]
