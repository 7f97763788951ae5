import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'
import { textOf } from './text.js'

/**
 * The webhook endpoint: verifies the signature over the raw body before it believes a word, and acknowledges at once.
 * The headers are not signed, the idempotency key among them: nothing is decided by it.
 *
 * @param {{ signingSecret: string, installations: ReturnType<typeof import('./installations.js').createInstallations> }} options
 * @returns {express.RequestHandler[]}
 */
export function createWebhook({ signingSecret, installations }) {
  /** Handlers by event; other events are acknowledged and ignored. A Map, since `constructor` is no event. */
  const handlers = new Map([
    [
      'app.installed',
      (lifecycle, { organization, installer, credentials }) =>
        installations.installed(lifecycle, {
          id: lifecycle.installation,
          name: textOf(organization.name) ?? lifecycle.organization,
          installer: textOf(installer?.id),
          credentials: credentialsOf(credentials),
        }),
    ],
    ['app.uninstalled', (lifecycle) => installations.uninstalled(lifecycle)],
  ])

  return [
    express.raw({ type: () => true, inflate: false, limit: '256kb' }),
    (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (!isSigned(body, request.get('Platform-Signature'), signingSecret)) {
        response.status(401).json({ error: 'The signature is not valid' })
        return
      }
      const event = parse(body)
      const handler = handlers.get(event?.type)
      const lifecycle = handler && lifecycleOf(event)
      if (!textOf(event?.type) || (handler && !lifecycle)) {
        response.status(400).json({ error: 'The body is no event of the platform' })
        return
      }
      if (handler) handler(lifecycle, event.data)
      response.status(200).json({ received: true })
    },
  ]
}

/**
 * The form is checked first: `Buffer.from` stops at the first character that is not hex, and `timingSafeEqual` throws
 * when the lengths differ.
 * @param {Buffer} body @param {string | undefined} signature lower-case hex @param {string} secret
 */
function isSigned(body, signature, secret) {
  if (!signature || !/^[0-9a-f]{64}$/.test(signature)) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

/** @param {Buffer} body @returns {any} undefined when it is not JSON */
function parse(body) {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** @param {any} event @returns {import('./installations.js').Lifecycle | undefined} undefined when a part is missing */
function lifecycleOf({ id, installation_id, created_at, data }) {
  const [event, installation, organization] = [id, installation_id, data?.organization?.id].map(textOf)
  const at = Date.parse(textOf(created_at) ?? '')
  if (!event || !installation || !organization || Number.isNaN(at)) return undefined
  return { event, installation, organization, at }
}

/** Null without `oauth.install`. When they expire is not kept: a 401 says it. @param {any} credentials */
function credentialsOf(credentials) {
  const [access_token, refresh_token] = [credentials?.access_token, credentials?.refresh_token].map(textOf)
  return access_token && refresh_token ? { access_token, refresh_token } : null
}
