import type { Call } from '../../api/call.js'
import { type Field, FormAction, given, jsonField, type Values } from '../../parts/form-action.js'
import { namedEffectsOf } from './effects.js'
import { presets } from './presets.js'

const asOptions = (...values: [string, string][]) => values.map(([value, label]) => ({ value, label }))
const surfaces = asOptions(
  ['', 'Any request to /v0 or OAuth'],
  ['api', 'api: requests to /v0'],
  ['oauth', 'oauth: authorize, token, discovery'],
  ['webhook', 'webhook: webhooks to the app'],
  ['id_token', 'id_token: id_tokens from sign-in'],
)
/** Which matchers mean something on which surface. */
const matchers: Record<string, string[]> = {
  '': ['method', 'path', 'app', 'organization'],
  api: ['method', 'path', 'app', 'organization'],
  oauth: ['method', 'path', 'grant_type', 'app', 'organization'],
  webhook: ['event', 'app', 'organization'],
  id_token: ['app', 'organization'],
}

const matcherLabels: Record<string, string> = {
  method: 'Method',
  path: 'Path (* matches any text)',
  app: 'App',
  organization: 'Organization',
  event: 'Event',
  grant_type: 'Grant type',
}

interface AddFaultProps {
  apps: string[]
  organizations: string[]
  /** What to begin with; then the form is open. */
  given?: Values
  onClose: () => void
}

/** The form of `POST /_admin/faults`. */
export function AddFault({ apps, organizations, given: values, onClose }: AddFaultProps) {
  const suggestions: Record<string, string[]> = {
    app: apps,
    organization: organizations,
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    path: ['/v0/elements', '/v0/elements/*', '/v0/courses', '/oauth/token', '/oauth/authorize'],
    event: ['app.installed', 'app.uninstalled'],
    grant_type: ['authorization_code', 'refresh_token'],
  }
  const fields = ({ surface = '', named }: Values): Field[] => [
    {
      name: 'preset',
      label: 'Preset',
      options: asOptions(['', 'None'], ...Object.keys(presets).map((name): [string, string] => [name, name])),
    },
    { name: 'surface', label: 'Surface', options: surfaces },
    ...(matchers[surface] ?? []).map((name) => ({
      name,
      label: matcherLabels[name] ?? name,
      suggestions: suggestions[name] ?? [],
      half: true,
    })),
    {
      name: 'named',
      label: 'Effect',
      required: true,
      options: asOptions(
        ['', 'Choose an effect'],
        ...namedEffectsOf(surface).map(({ name, means }): [string, string] => [name, `${name}: ${means}`]),
        ['json', 'A JSON object…'],
      ),
    },
    ...(named === 'json'
      ? [
          {
            name: 'effect',
            label: 'Effect as JSON',
            kind: 'json' as const,
            required: true,
            hint: objects[surface] ?? objects.api,
          },
        ]
      : []),
    {
      name: 'phase',
      label: 'Phase',
      options: asOptions(
        ['', 'before: the request has no effect'],
        ['after', 'after: the request takes effect, then its response is replaced or lost'],
      ),
    },
    { name: 'times', label: 'Times', kind: 'number', hint: 'Empty: every match.', half: true },
    { name: 'after', label: 'After', kind: 'number', hint: 'Matches to let through first.', half: true },
    { name: 'probability', label: 'Probability', hint: '0 to 1.', half: true },
    { name: 'expires_in', label: 'Expires in', hint: '90s, 1h, 30d.', half: true },
  ]
  return (
    <FormAction
      label="Add a fault"
      title="Add a fault"
      submit="Add"
      fields={fields}
      call={(all) => callOf(all)}
      onChange={(name, all) => (name === 'preset' ? { ...presets[all.preset ?? ''], preset: all.preset ?? '' } : all)}
      onClose={onClose}
      {...(values && { open: true, initial: values })}
    />
  )
}

const objects: Record<string, string> = {
  api: 'For example: { "status": 503 }, { "delay": "2s" }, { "connection": "reset" }, { "hold": 2 }, { "omit": ["payload.name"] }.',
  webhook: 'For example: { "delay": "5s" }, { "body": "not JSON" }.',
  id_token: 'For example: { "claims": { "email_verified": false } }, { "omit": ["email"] }.',
}

function callOf(values: Values): Call {
  const { surface = '', named = '', effect = '', phase, times, after, probability, expires_in } = values
  const match = given(Object.fromEntries(['surface', ...(matchers[surface] ?? [])].map((name) => [name, values[name]])))
  const number = (text: string | undefined) => (text ? Number(text) : undefined)
  const body = given({
    match,
    effect: named === 'json' ? jsonField('effect', effect || '{}') : named,
    phase,
    times: number(times),
    after: number(after),
    probability: number(probability),
    expires_in,
  })
  return { method: 'POST', path: '/_admin/faults', body }
}
