import * as z from 'zod'
import { type Route, route } from '../http/route.js'
import { ok, optionalBodyOf, strict } from './answer.js'

export const rotateRequest = strict({ retire: z.boolean().default(false) })
export const rotatedShape = z.object({
  /** The key id of the new key. */
  kid: z.string(),
  /** The key ids that the JWKS no longer has. */
  retired: z.array(z.string()),
})

/** control-api: "Sign-in and silent authentication" */
export const keyRoutes: Route[] = [
  route(
    'POST',
    '/_admin/keys/rotate',
    {
      id: 'rotateKeys',
      summary: 'Sign with a new key from now on',
      source: 'control-api: Sign-in and silent authentication',
      body: rotateRequest,
      answer: rotatedShape,
    },
    (world, request) => {
      const { key, retired } = world.keys.rotate(optionalBodyOf(request, rotateRequest).retire)
      return ok({ kid: key.id, retired })
    },
  ),
]
