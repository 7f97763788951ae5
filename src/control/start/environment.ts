import { authorityBundle, extraAuthorities } from '../../foundation/tls/authority.js'
import type { AppRecord } from '../../platform/apps/app-record.js'
import { bundleVariables, type EnvironmentSource, variablesOf } from './environment-variables.js'
import type { Running } from './launch.js'

/** Returns the variables of an emulator of this process, for an app: the first when left out. control-api: "CLI" */
export async function environmentOf(
  { url, world }: Pick<Running, 'url' | 'world'>,
  app: AppRecord | undefined = world.store.apps.all.at(0),
): Promise<Record<string, string>> {
  const api_key = world.store.organizations.all.at(0)?.api_key
  return environmentFor({ url, app_url: world.addresses.app_url, api_key, ...app })
}

/** Returns the variables of an emulator, without those whose value it lacks. */
export const environmentFor = async (emulator: EnvironmentSource): Promise<Record<string, string>> =>
  variablesOf(emulator, emulator.url?.startsWith('https:') ? await authorityVariables() : {})

async function authorityVariables(): Promise<Record<string, string>> {
  const bundles: Record<string, string> = {}
  for (const name of bundleVariables) bundles[name] = await authorityBundle(process.env[name])
  return { NODE_EXTRA_CA_CERTS: await extraAuthorities(process.env.NODE_EXTRA_CA_CERTS), ...bundles }
}
