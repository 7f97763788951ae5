import * as z from 'zod'
import { type InstallationRecord, installationStates } from '../apps/installation-record.js'
import { type InstallOutcome, install, type UninstallOutcome, uninstall, upgrade } from '../apps/installations.js'
import { type Route, route } from '../http/route.js'
import { bodyOf, created, list, ok, optionalBodyOf, queryOf, strict } from './answer.js'
import { deliveryShape, presentDelivery } from './deliveries.admin.js'
import { appOf, installationOf, organizationOf, userOf } from './named-records.js'

const source = 'control-api: Installations'

export const installationShape = z.object({
  id: z.string(),
  app: z.string(),
  organization: z.string(),
  version: z.string(),
  installer: z.string().nullable(),
  state: z.enum(installationStates),
  scope: z.string(),
  installed_at: z.string(),
  ended_at: z.string().nullable(),
})

/** control-api: "Shapes", installation */
export const presentInstallation = (record: InstallationRecord): z.output<typeof installationShape> => ({
  id: record.id,
  app: record.app,
  organization: record.organization,
  version: record.version,
  installer: record.installer,
  state: record.state,
  scope: record.scope,
  installed_at: record.installed_at,
  ended_at: record.ended_at,
})

export const installationQuery = strict({
  app: z.string().optional(),
  organization: z.string().optional(),
  state: z.enum(installationStates).optional(),
})

export const installBody = strict({
  app: z.string(),
  organization: z.string(),
  /** A user's id or email. */
  installer: z.string().optional(),
  version: z.string().optional(),
  announce: z.boolean().optional(),
})

export const upgradeBody = strict({ version: z.string().optional() })

const credentialsShape = z.object({
  client_id: z.string(),
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.string(),
  expires_in: z.number(),
  expires_at: z.string(),
  scope: z.string(),
})

export const outcomeShape = z.object({
  installation: installationShape,
  delivery: deliveryShape.nullable(),
  redirect_url: z.string().nullable(),
  credentials: credentialsShape.nullable(),
})

const presentOutcome = ({ installation, delivery, redirect_url, credentials }: InstallOutcome) => ({
  installation: presentInstallation(installation),
  delivery: delivery && presentDelivery(delivery),
  redirect_url,
  credentials,
})

const presentUninstall = ({ installation, delivery }: UninstallOutcome) => ({
  installation: presentInstallation(installation),
  delivery: delivery && presentDelivery(delivery),
})

/** control-api: "Installations" */
export const installationRoutes: Route[] = [
  route(
    'GET',
    '/_admin/installations',
    {
      id: 'listInstallations',
      summary: 'Installations, ended ones too',
      source,
      query: installationQuery,
      answer: z.object({ data: z.array(installationShape) }),
    },
    (world, request) => {
      const { app, organization, state } = queryOf(request, installationQuery)
      const appId = app === undefined ? undefined : appOf(world, app).id
      if (organization !== undefined) organizationOf(world, organization)
      const { installations } = world.store
      const among =
        organization !== undefined
          ? installations.in('organization', organization)
          : appId !== undefined
            ? installations.in('app', appId)
            : installations.all
      const found = [...among].filter(
        (it) => (appId === undefined || it.app === appId) && (state === undefined || it.state === state),
      )
      return list(found.map(presentInstallation))
    },
  ),
  route(
    'POST',
    '/_admin/installations',
    { id: 'install', summary: 'Install an app', source, body: installBody, answer: outcomeShape, status: 201 },
    async (world, request) => {
      const { installer, ...body } = bodyOf(request, installBody)
      const app = appOf(world, body.app)
      const organization = organizationOf(world, body.organization).id
      const user = installer === undefined ? null : userOf(world, installer).id
      return created(presentOutcome(await install(world, { ...body, app, organization, installer: user })))
    },
  ),
  route(
    'GET',
    '/_admin/installations/:id',
    { id: 'getInstallation', summary: 'One installation', source, answer: installationShape },
    (world, request) => ok(presentInstallation(installationOf(world, request.params.id))),
  ),
  route(
    'POST',
    '/_admin/installations/:id/upgrade',
    {
      id: 'upgrade',
      summary: 'Upgrade to another version',
      source,
      body: upgradeBody,
      answer: outcomeShape,
      status: 201,
    },
    async (world, request) => {
      const installation = installationOf(world, request.params.id)
      const { version } = optionalBodyOf(request, upgradeBody)
      return created(presentOutcome(await upgrade(world, installation, version)))
    },
  ),
  route(
    'DELETE',
    '/_admin/installations/:id',
    {
      id: 'uninstall',
      summary: 'Uninstall',
      source,
      answer: z.object({ installation: installationShape, delivery: deliveryShape.nullable() }),
    },
    async (world, request) => {
      const installation = installationOf(world, request.params.id)
      return ok(presentUninstall(await uninstall(world, installation)))
    },
  ),
]
