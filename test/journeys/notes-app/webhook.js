import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'
import { credentialsOf } from './installations.js'

/** What each event does; others are acknowledged and left alone. */
const handlers = {
  'app.installed'(event, installations) {
    const { organization, installer, credentials } = event.data
    installations.put(organization.id, {
      id: event.installation_id,
      name: organization.name,
      installer: installer.full_name,
      credentials: credentialsOf(credentials),
    })
  },

  'app.uninstalled'(event, installations) {
    installations.purge(event.data.organization.id, event.installation_id)
  },
}

/** The webhook endpoint: verifies the signature over the raw body before it believes a word, and answers at once. */
export function createWebhook({ signingSecret, installations }) {
  /** Events that have been dealt with: the platform sends one again when it has missed the acknowledgement. */
  const seen = new Set()

  const receive = (request, response) => {
    if (!isSigned(request.body, request.get('Platform-Signature'), signingSecret)) {
      return response.status(401).json({ error: 'The signature is not valid' })
    }
    const key = request.get('Platform-Idempotency-Key')
    if (!seen.has(key)) {
      const event = JSON.parse(request.body.toString('utf8'))
      handlers[event.type]?.(event, installations)
      seen.add(key)
    }
    response.status(200).json({ received: true })
  }
  return [express.raw({ type: 'application/json', limit: '1mb' }), receive]
}

/** @param {Buffer} body @param {string | undefined} signature lower-case hex */
function isSigned(body, signature, secret) {
  if (!Buffer.isBuffer(body) || !signature) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
