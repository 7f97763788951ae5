import { spawn } from 'node:child_process'
import type { WireExchange } from '../../../control/client/wire.js'
import { describeResponse, valueAt } from '../context/app-response.js'
import type { AuditContext } from '../context/context.js'
import { Inconclusive } from '../context/failures.js'
import { installAndProbe } from '../context/installing.js'
import type { Tenant } from '../context/tenant.js'
import { defineChecks, fail, pass } from './check.js'

const FEW = 3
/** Three pages. */
const MANY = 137
const REFUSED = 10
/** Milliseconds that a restarted app may take to serve again. */
const RESTART = 45_000

const needs = ['webhook', 'oauth.install', 'probe'] as const

/** audit: "API and tokens" */
export const organizationData = defineChecks(needs, {
  'api.pages': {
    title: 'reads every page of a list',
    severity: 'high',
    needs: ['webhook', 'oauth.install', 'list'],
    source: 'spec: §4.2; wire: §2 "list payload"',
    expected: `Lists all ${MANY} elements.`,
    remedy: 'While `payload.next` is not null, request the next page with `?page=<next>`.',
    async run(context) {
      const [few, many] = [await context.platform.tenant(FEW), await context.platform.tenant(MANY)]
      await Promise.all([few.install(), many.install()])
      const first = await countElements(context, few)
      if (first.count !== FEW) throw new Inconclusive(`the list shows ${first.count} of ${FEW} elements`, first)
      const { count, sent } = await countElements(context, many)
      if (count === MANY) return pass(`Listed all ${MANY} elements of three pages`)
      return fail(`The app lists ${count} of ${MANY} elements`, { sent })
    },
  },
  'api.tenants': {
    title: "never uses one organization's token for another",
    severity: 'critical',
    source: 'spec: §5.2.2, §5.2.6',
    expected: 'When requests of several organizations are interleaved, each uses the token of its own organization.',
    remedy:
      'Store credentials by organization ID and pass them as arguments. Do not keep a "current token" in a shared variable.',
    async run({ platform }) {
      const [served, ...refused] = (await platform.tenants(1 + REFUSED)) as [Tenant, ...Tenant[]]
      const all = [served, ...refused]
      await Promise.all(all.map((tenant) => tenant.install()))
      await served.mustServe('after an install')
      const match = { surface: 'api' } as const
      const faults = await Promise.all(refused.map((tenant) => tenant.fault({ match, effect: 'insufficient_scope' })))
      // Each refused organization is probed once: an app that reports a 403 to every caller has not retried in vain.
      const order = refused.flatMap((tenant) => [tenant, served])
      const probes = await Promise.all(order.map(async (tenant) => ({ tenant, sent: await tenant.probe() })))
      await Promise.all(faults.map((fault) => fault.lift()))
      for (const { tenant, sent } of probes) {
        const other = all.find((each) => each !== tenant && sent.response.body.includes(each.marker))
        if (other) {
          const seen = `"${other.marker}" in the response`
          return fail('The probe of one organization showed a course of another', { sent, seen })
        }
        if (tenant !== served && tenant.isOk(sent)) {
          const message =
            "The platform rejected the token of one organization, but its probe worked with another's token"
          return fail(message, { sent })
        }
        if (tenant === served && !tenant.isOk(sent)) {
          const seen = `${describeResponse(sent)} while the platform rejected only the tokens of other organizations`
          return fail('The probe of one organization failed because the token of another was rejected', { sent, seen })
        }
      }
      await refused[0]?.mustServe('once its token is accepted again')
      return pass(`${probes.length} interleaved probes, each with the token of its own organization`)
    },
  },
  'api.tolerant': {
    title: 'tolerates additions to the API',
    severity: 'medium',
    source: 'spec: §9; RFC 6749 §5.1',
    expected: 'Keeps working with unknown fields, `"token_type": "bearer"`, no `expires_in` and unknown element types.',
    remedy:
      'Validate the fields that you use and ignore the rest. Token types are case-insensitive, and expires_in is optional.',
    async run(context) {
      for (const { what, match, effect } of additions()) {
        const tenant = await installAndProbe(context)
        await tenant.fault({ match, effect })
        await tenant.expireTokens()
        const first = await tenant.probe()
        const sent = tenant.isOk(first) ? await tenant.probe() : first
        if (!tenant.isOk(sent)) return fail(`With ${what}, the app stops working: ${describeResponse(sent)}`, { sent })
      }
      return pass('The app handled unknown fields, an unknown type and a missing expires_in')
    },
  },
  'api.restart': {
    title: 'still has its tokens after a restart',
    severity: 'medium',
    needs: [...needs, 'restart'],
    source: 'spec: §5.2.6',
    expected: 'Serves the organization after the restart. Credentials are sent once, so they must be on disk.',
    remedy: 'Store credentials in a database, encrypted at rest, before you acknowledge the webhook.',
    order: 'alone',
    async run(context) {
      const tenant = await installAndProbe(context)
      await runCommand(context.file.restart ?? '', context.folder)
      const deadline = performance.now() + RESTART
      let sent: WireExchange
      do {
        await context.wait(250)
        sent = await tenant.probe()
      } while (sent.status === null && performance.now() < deadline)
      if (tenant.isOk(sent)) return pass('The tokens survived the restart')
      const response = describeResponse(sent)
      return fail(`The app does not serve the organization after the restart: ${response}`, { sent })
    },
  },
})

/** Counts the elements that the app lists for an organization. @throws Inconclusive when `list` shows no number. */
async function countElements({ file: { list }, browser }: Pick<AuditContext, 'file' | 'browser'>, tenant: Tenant) {
  const { url = '', count: pointer = '', headers } = list ?? {}
  const sent = await browser().get(tenant.urlOf(url), { headers })
  const value = valueAt(sent.response.body, pointer)
  const count = Array.isArray(value) ? value.length : value
  if (typeof count === 'number') return { count, sent }
  const response = describeResponse(sent)
  throw new Inconclusive(
    `list.count ${JSON.stringify(pointer)} does not point to a number or an array in the response (${response})`,
    { sent },
  )
}

/** Changes of responses that a client must tolerate, because a later version of the platform may make them. */
function additions() {
  const at = '2026-01-01T00:00:00.000Z'
  // wire: §4 "element"
  const hologram = {
    id: 'auditelement0001',
    object: 'element',
    name: 'From the future',
    content: '',
    type: 'HOLOGRAM',
    position: 0,
    module: 'auditmodule00001',
    course: 'auditcourse00001',
    cover: null,
    metadata: {},
    properties: { hologram_url: 'https://holograms.test/1' },
    created_at: at,
    updated_at: at,
  }
  return [
    {
      what: 'unknown fields in /v0 responses',
      match: { surface: 'api' },
      effect: { merge: { audit_extra: { a: [1] }, payload: { audit_extra: null } } },
    },
    {
      what: 'a token response that has "token_type": "bearer" and an unknown field, and no "expires_in"',
      match: { surface: 'oauth', grant_type: 'refresh_token' },
      effect: { merge: { token_type: 'bearer', audit_extra: true }, omit: ['expires_in'] },
    },
    {
      what: 'an element of an unknown type',
      match: { surface: 'api', path: '/v0/elements' },
      effect: { body: { error: null, payload: { data: [hologram], next: null } } },
    },
  ] as const
}

/** Runs a shell command. @throws Inconclusive when it fails or does not end in time. */
const runCommand = (command: string, cwd: string) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(command, { shell: true, cwd, stdio: 'ignore', timeout: RESTART })
    const giveUp = (why: string) => reject(new Inconclusive(`the restart command ${why}`))
    child.on('error', ({ message }) => giveUp(`could not be run: ${message}`))
    child.on('exit', (code) => {
      if (code === 0) resolve()
      else giveUp(child.killed ? `did not end within ${RESTART / 1000} s` : `exited with status ${code}`)
    })
  })
