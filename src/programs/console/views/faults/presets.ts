import type { Values } from '../../parts/form-action.js'

/** Faults that are wanted often, by name: what the form is filled with. */
export const presets: Record<string, Values> = {
  'Rate limit': { surface: 'api', named: 'rate_limited', times: '3' },
  'Expired token, once': { surface: 'api', named: 'token_expired', times: '1' },
  'Refresh response lost': {
    surface: 'oauth',
    grant_type: 'refresh_token',
    named: 'json',
    effect: '{ "connection": "reset" }',
    phase: 'after',
    times: '1',
  },
  'Slow responses': { surface: 'api', named: 'json', effect: '{ "delay": "2s", "jitter": "1s" }' },
  'Every other request fails': { surface: 'api', named: 'json', effect: '{ "status": 500 }', probability: '0.5' },
  'Connection hangs': { surface: 'api', named: 'json', effect: '{ "connection": "hang" }', times: '1' },
  'HTML instead of JSON': { surface: 'api', named: 'json', effect: '{ "status": 502, "body": "html" }', times: '1' },
  'Webhook sent twice': { surface: 'webhook', named: 'duplicate', times: '1' },
  'Forged webhook': { surface: 'webhook', named: 'bad_signature', times: '1' },
  'Acknowledgement lost': { surface: 'webhook', named: 'lose_ack', times: '1' },
  'id_token from another issuer': { surface: 'id_token', named: 'wrong_iss', times: '1' },
  'id_token for several apps': { surface: 'id_token', named: 'second_aud', times: '1' },
  'id_token without nonce': { surface: 'id_token', named: 'no_nonce', times: '1' },
}
