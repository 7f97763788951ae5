import { startEmulator } from '../../control/start/start-emulator.js'
import { send } from '../../foundation/http-client/send.js'
import { createResourceReader } from './resource-differences.js'

/** The emulator's own documents, to compare a platform with. */
export type EmulatorReference = Awaited<ReturnType<typeof readReference>>

/**
 * Asks an emulator of this process, started for it alone, over HTTP as anybody would.
 * @param typeNames neutral names of element types to the platform's, so that only other differences are reported.
 * @param start starts the emulator: this package's own when left out.
 */
export async function readReference(typeNames: Record<string, string>, start: typeof startEmulator = startEmulator) {
  const options = { fixtures: {}, seed: 'compare', port: 0, store: 'memory', https: false } as const
  const emulator = await start({ ...options, elementTypeNames: typeNames })
  try {
    const get = async (path: string) => {
      const { headers, body } = await send({ method: 'GET', url: emulator.url + path })
      return { headers, body: JSON.parse(body.toString()) }
    }
    const { headers, body: discovery } = await get('/.well-known/openid-configuration')
    const { body: jwks } = await get(new URL(discovery.jwks_uri).pathname)
    return {
      resourceDifferences: createResourceReader((await get('/v0/openapi.json')).body),
      discovery: discovery as Record<string, unknown>,
      issuer: String(discovery.issuer),
      key: jwks.keys[0] as Record<string, unknown>,
      headers,
    }
  } finally {
    await emulator.close()
  }
}
