import { createRedactor } from '../../../emulator/journal/known-secrets.js'
import type { World } from '../../../emulator/world/world.js'
import type { InstallationRecord } from '../../../platform/apps/installation-record.js'
import { type InstallResult, install, uninstall, upgrade } from '../../../platform/apps/installations.js'
import type { CallResult, Handlers } from '../call-types.js'
import type { installationSchemas } from '../schemas/installations.schemas.js'
import { appOf, installationOf, organizationOf, userOf } from './named-records.js'
import { presentDelivery } from './present-delivery.js'

/** control-api: "Shapes", installation */
const presentInstallation = (record: InstallationRecord): CallResult<'getInstallation'> => ({
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

const presentInstall = (world: World, { installation, delivery, ...result }: InstallResult): CallResult<'install'> => ({
  installation: presentInstallation(installation),
  delivery: delivery && presentDelivery(delivery, createRedactor(world)),
  redirect_url: result.redirect_url,
  credentials: result.credentials,
})

/** control-api: "Installations" */
export const installationHandlers: Handlers<keyof typeof installationSchemas> = {
  listInstallations(world, { query: { app, organization, state } }) {
    const appId = app === undefined ? undefined : appOf(world, app).id
    if (organization !== undefined) organizationOf(world, organization)
    const { installations } = world.store
    const among =
      organization !== undefined
        ? installations.in('organization', organization)
        : appId !== undefined
          ? installations.in('app', appId)
          : installations.all
    return [...among]
      .filter((it) => (appId === undefined || it.app === appId) && (state === undefined || it.state === state))
      .map(presentInstallation)
  },
  async install(world, { body: { installer, ...body } }) {
    const app = appOf(world, body.app)
    const organization = organizationOf(world, body.organization).id
    const user = installer === undefined ? null : userOf(world, installer).id
    return presentInstall(world, await install(world, { ...body, app, organization, installer: user }))
  },
  getInstallation: (world, { params }) => presentInstallation(installationOf(world, params.id)),
  async upgrade(world, input) {
    const installation = installationOf(world, input.params.id)
    return presentInstall(world, await upgrade(world, installation, input.body.version))
  },
  async uninstall(world, { params }) {
    const { installation, delivery } = await uninstall(world, installationOf(world, params.id))
    return {
      installation: presentInstallation(installation),
      delivery: delivery && presentDelivery(delivery, createRedactor(world)),
    }
  },
}
