import { startEmulator } from '../../control/start/start-emulator.js'
import { send } from '../../foundation/http-client/send.js'
import { createResourceReader, type ResourceReader } from './resource-differences.js'

/** The emulator's own documents, to compare a platform with. */
export interface EmulatorReference {
  /** How resources differ from `GET /v0/openapi.json`. */
  resourceDifferences: ResourceReader
  /** The discovery document, and the issuer that it is of. */
  discovery: Record<string, unknown>
  issuer: string
  /** One key of its JWKS. */
  key: Record<string, unknown>
  /** Headers of the discovery document. */
  cached: Record<'cache-control' | 'access-control-allow-origin', string>
}

/**
 * Asks an emulator of this process, started for it alone, over HTTP as anybody would.
 * @param typeNames neutral names of element types to the platform's, so that only other differences are reported.
 * @param start starts the emulator: this package's own when left out.
 */
export async function readReference(
  typeNames: Record<string, string>,
  start: typeof startEmulator = startEmulator,
): Promise<EmulatorReference> {
  const emulator = await start({
    fixtures: {},
    elementTypeNames: typeNames,
    seed: 'compare',
    port: 0,
    store: 'memory',
    https: false,
  })
  try {
    const get = async (path: string) => {
      const { headers, body } = await send({ method: 'GET', url: emulator.url + path })
      return { headers, body: JSON.parse(body.toString()) }
    }
    const { headers, body: discovery } = await get('/.well-known/openid-configuration')
    const { body: jwks } = await get(new URL(discovery.jwks_uri).pathname)
    return {
      resourceDifferences: createResourceReader((await get('/v0/openapi.json')).body),
      discovery,
      issuer: discovery.issuer,
      key: jwks.keys[0],
      cached: {
        'cache-control': headers['cache-control'] ?? '',
        'access-control-allow-origin': headers['access-control-allow-origin'] ?? '',
      },
    }
  } finally {
    await emulator.close()
  }
}
