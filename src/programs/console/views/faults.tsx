import { idTokenEffects, webhookEffects } from '../../../emulator/faults/effect-names.js'
import { injectedRefusals } from '../../../emulator/serving/injected-refusal.js'
import { callOf, commandLine, type Fault } from '../api/call.js'
import { dateTime, fromNow, isOver } from '../api/clock.js'
import { report } from '../api/report.js'
import { useList } from '../api/resource.js'
import { Action } from '../components/action.js'
import { address, linkTo, queryValue, replaceAddress } from '../components/address.js'
import { type Field, FieldInput, type LabeledOption, type Values } from '../components/field.js'
import { FormAction, type FormFields } from '../components/form.js'
import { actions, type Column, column, Empty, List, SingleView } from '../components/list.js'

/** Injected faults. console: Views, Faults */
export function FaultsView() {
  const faults = useList('listFaults')
  const { items } = faults
  const { id } = address.value
  const [used, active] = [items.filter(isUsedUp), items.filter((fault) => !isUsedUp(fault))]
  return (
    <SingleView
      title="Faults"
      head={
        <>
          <FaultForm />
          {items.length > 0 && (
            <Action
              label="Remove all"
              call={callOf('clearFaults')}
              what="Remove all faults"
              loses="This removes every fault and the hit counts."
            />
          )}
        </>
      }
    >
      {id !== undefined && faults.ready && !items.some((fault) => fault.id === id) && (
        <p class="note warn">Fault {id} no longer exists.</p>
      )}
      <List
        caption="Faults, oldest first: the oldest that matches fires"
        class="stack"
        columns={columns}
        {...faults}
        items={active}
        empty={
          <Empty
            title={used.length > 0 ? 'No faults left' : 'No faults'}
            command={commandLine('faults add rate_limited --surface api --times 3')}
          >
            A fault makes requests or webhooks fail, as on the platform. You can also make one from an entry in
            Activity.
          </Empty>
        }
      />
      {used.length > 0 && (
        <details open={report !== undefined || used.some((fault) => fault.id === id)}>
          <summary>{used.length} used up or expired</summary>
          <List caption="Faults that are used up or expired" class="stack" columns={columns} items={used} />
        </details>
      )}
    </SingleView>
  )
}

const isUsedUp = ({ left, expires_at, match }: Fault) => left === 0 || isOver(expires_at, match.organization)

const effectText = (effect: unknown) => (typeof effect === 'string' ? effect : JSON.stringify(effect))
const matchText = (match: Record<string, unknown>) =>
  Object.entries(match)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || 'every request to /v0 and OAuth'

const columns: Column<Fault>[] = [
  column('Effect', 'c-what', ({ effect, phase, after, probability }) => (
    <>
      <code>{effectText(effect)}</code>
      {phase === 'after' && <span class="tag">after the request takes effect</span>}
      {after > 0 && <span class="tag">lets {after} through first</span>}
      {probability < 1 && <span class="tag">{Math.round(probability * 100)} % of the time</span>}
    </>
  )),
  column('Matches', 'c-what', ({ match }) => <code>{matchText(match)}</code>),
  column('Hits', 'num', ({ hits }) => hits),
  column('Left', '', ({ left, times, expires_at, match }) => (
    <>
      {left === null ? 'always' : left === 0 ? 'used up' : `${left} of ${times}`}
      {expires_at && (
        <div class="soft nowrap" title={dateTime(expires_at)}>
          {isOver(expires_at, match.organization) ? 'expired' : 'expires'} {fromNow(expires_at, match.organization)}
        </div>
      )}
    </>
  )),
  actions(({ id, effect }) => (
    <Action
      label="Remove"
      what={`Remove the fault ${effectText(effect)}`}
      call={callOf('deleteFault', { params: { id } })}
    />
  )),
]

const effects: Record<string, Record<string, string>> = { webhook: webhookEffects, id_token: idTokenEffects }

/** Returns the named effects of a surface as options; of requests to `/v0` and OAuth for any other. */
export const effectsOf = (surface: string): LabeledOption[] =>
  Object.entries(effects[surface] ?? injectedRefusals).map(([value, means]) => [value, `${value}: ${means}`])

/** The fields that narrow a fault to some requests, by their names in `match`. */
const matchers: Record<string, Partial<Field>> = {
  event: { suggestions: ['app.installed', 'app.uninstalled'] },
  method: { suggestions: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  path: {
    label: 'Path (* matches any text)',
    suggestions: ['/v0/elements/*', '/v0/courses', '/oauth/token'],
  },
  grant_type: { suggestions: ['authorization_code', 'refresh_token'] },
  app: {},
  organization: {},
}

/** The surfaces, each with the matchers that its requests have beside app and organization. */
const surfaces: Record<string, { label: string; matchers: string[] }> = {
  '': { label: 'Any request to /v0 or OAuth', matchers: ['method', 'path'] },
  api: { label: 'api: requests to /v0', matchers: ['method', 'path'] },
  oauth: { label: 'oauth: authorize, token, discovery', matchers: ['method', 'path', 'grant_type'] },
  webhook: { label: 'webhook: webhooks to the app', matchers: ['event'] },
  id_token: { label: 'id_token: id_tokens from sign-in', matchers: [] },
}
const surfaceOptions = Object.entries(surfaces).map(([value, { label }]): LabeledOption => [value, label])

const phases = Object.entries({
  '': 'before: the request has no effect',
  after: 'after: only its response is replaced or lost',
})

const examples: Record<string, string> = {
  webhook: 'For example: { "delay": "5s" }, { "body": "not JSON" }.',
  id_token: 'For example: { "claims": { "email_verified": false } }, { "omit": ["email"] }.',
}
const requestExamples = 'For example: { "status": 503 }, { "hold": 2 }, { "omit": ["payload.name"] }.'

function fieldsFor({ 'match.surface': surface = '' }: Values): FormFields<'addFault'> {
  const names = [...(surfaces[surface]?.matchers ?? []), 'app', 'organization']
  return {
    'match.surface': { options: surfaceOptions },
    ...Object.fromEntries(names.map((name) => [`match.${name}`, { ...matchers[name], half: true }])),
    effect: { options: [['', 'Choose an effect'], ...effectsOf(surface)], hint: examples[surface] ?? requestExamples },
    ...(surface === 'webhook' || surface === 'id_token' ? {} : { phase: { options: phases, hint: '' } }),
    times: { half: true },
    after: { half: true },
    probability: { half: true },
    expires_in: { half: true },
  }
}

const presets: Record<string, Values> = {
  'Rate limit': { surface: 'api', effect: 'rate_limited', times: '3' },
  'Expired token, once': { surface: 'api', effect: 'token_expired', times: '1' },
  'Refresh response lost': {
    surface: 'oauth',
    grant_type: 'refresh_token',
    effect: '{ "connection": "reset" }',
    phase: 'after',
    times: '1',
  },
  'Slow responses': { surface: 'api', effect: '{ "delay": "2s", "jitter": "1s" }' },
  'Half of the requests fail': { surface: 'api', effect: '{ "status": 500 }', probability: '0.5' },
  'Connection hangs': { surface: 'api', effect: '{ "connection": "hang" }', times: '1' },
  'HTML instead of JSON': { surface: 'api', effect: '{ "status": 502, "body": "html" }', times: '1' },
  'Webhook sent twice': { surface: 'webhook', effect: 'duplicate', times: '1' },
  'Forged webhook': { surface: 'webhook', effect: 'bad_signature', times: '1' },
  'Acknowledgement lost': { surface: 'webhook', effect: 'lose_ack', times: '1' },
  'id_token from another issuer': { surface: 'id_token', effect: 'wrong_iss', times: '1' },
}

/** Returns the values in the address's query, which has matchers without `match.`. */
const valuesIn = (query: URLSearchParams): Values =>
  Object.fromEntries(
    [...query].map(([name, value]) => [name === 'surface' || name in matchers ? `match.${name}` : name, value]),
  )

const presetField: Field = {
  name: 'preset',
  label: 'Preset',
  options: [['', 'None'], ...Object.keys(presets)],
}

/** The form of a new fault. A link with `add=1` opens it, filled in by the rest of its query; each preset is such a link. */
function FaultForm() {
  const { query } = address.value
  const isLinked = query.get('add') === '1'
  const openPreset = (preset: string) =>
    replaceAddress(linkTo('faults', undefined, { add: '1', preset, ...presets[preset] }))
  return (
    <FormAction
      label="Add a fault"
      primary
      call="addFault"
      intro={<FieldInput field={presetField} value={queryValue('preset')} onInput={openPreset} />}
      fields={fieldsFor}
      open={isLinked && query.toString()}
      initial={isLinked ? valuesIn(query) : {}}
      onClose={() => isLinked && replaceAddress(linkTo('faults'))}
    />
  )
}
