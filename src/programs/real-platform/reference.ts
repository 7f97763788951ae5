import { startEmulator } from '../../control/start/start-emulator.js'

/** What the emulator says of itself, to hold a platform against. */
export interface EmulatorReference {
  /** `GET /v0/openapi.json` */
  api: Record<string, unknown>
  /** The discovery document, and the issuer that it is of. */
  discovery: Record<string, unknown>
  issuer: string
  /** One key of its JWKS. */
  key: Record<string, unknown>
  /** Headers of the discovery document. */
  cached: { 'cache-control': string; 'access-control-allow-origin': string }
}

/**
 * Asks an emulator of this process, started for it alone, over HTTP as anybody would.
 * @param typeNames neutral names of element types to the platform's, so that only what differs beside them is told.
 */
export async function readReference(typeNames: Record<string, string>): Promise<EmulatorReference> {
  const emulator = await startEmulator({
    fixtures: {},
    element_type_names: typeNames,
    seed: 'compare',
    port: 0,
    store: 'memory',
    https: false,
  })
  try {
    const json = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>
    const discovery = await fetch(`${emulator.url}/.well-known/openid-configuration`)
    const document = (await discovery.json()) as Record<string, unknown>
    const { keys } = (await json(emulator.url + new URL(String(document.jwks_uri)).pathname)) as {
      keys: Record<string, unknown>[]
    }
    const header = (name: string) => discovery.headers.get(name) ?? ''
    return {
      api: await json(`${emulator.url}/v0/openapi.json`),
      discovery: document,
      issuer: String(document.issuer),
      key: keys[0] ?? {},
      cached: {
        'cache-control': header('cache-control'),
        'access-control-allow-origin': header('access-control-allow-origin'),
      },
    }
  } finally {
    await emulator.close()
  }
}
