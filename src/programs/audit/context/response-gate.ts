import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { Inconclusive } from '../app/failures.js'
import type { AuditContext } from './context.js'
import { installWithoutWebhook } from './installing.js'
import { createVisitor } from './person.js'

/** A connection that breaks sooner is tried once more. */
const RETRY_WITHIN_MS = 1_000

interface Gate {
  what: string
  address: (context: AuditContext) => string | undefined
  /** The check that finds what is wrong with the address; it runs all the same, unless the app hangs by then. */
  check?: string
  send: (context: AuditContext) => Promise<GuardedExchange>
}

/** Addresses that are asked once in a run before any check that needs them, in this order, and again when the app hangs. */
const gates: Record<'webhook' | 'probe' | 'start' | 'whoami', Gate> = {
  webhook: {
    what: 'a genuine webhook',
    address: ({ app }) => app.webhook,
    check: 'webhook.accepts',
    send: async (context) => context.attacker.postSigned((await installWithoutWebhook(context)).body),
  },
  probe: {
    what: 'a probe',
    address: ({ file }) => file.probe?.url,
    async send({ platform }) {
      const tenant = await platform.tenant()
      await tenant.install()
      return tenant.probe()
    },
  },
  start: {
    what: 'the start of a sign-in',
    address: ({ file }) => file.start,
    check: 'signin.request',
    send: async (context) => (await (await createVisitor(context)).visitStart()).sent,
  },
  whoami: {
    what: 'whoami',
    address: ({ file }) => file.whoami?.url,
    send: ({ browser, file }) => browser().get(file.whoami?.url ?? ''),
  },
}

/** Spares the longest wait of every check when an app hangs. @throws Inconclusive when it does not respond. audit: "Running it" */
export async function mustRespond({ id, needs }: { id: string; needs: readonly string[] }, context: AuditContext) {
  for (const [need, gate] of Object.entries(gates)) {
    const address = gate.address(context)
    if (!needs.includes(need) || address === undefined) continue
    const hang = await context.findHang(address)
    if (hang !== undefined) throw new Inconclusive(`the app has not responded since ${hang}`)
    if (gate.check === id) continue
    const { status, error } = await context.once(`response of ${need}`, () => firstResponse(gate, context))
    if (status !== null) continue
    const message = `the app did not respond to ${gate.what}: ${error}`
    throw new Inconclusive(message, { late: false, followsFrom: gate.check })
  }
}

async function firstResponse({ send }: Gate, context: AuditContext): Promise<GuardedExchange> {
  const first = await send(context)
  return first.status === null && first.duration < RETRY_WITHIN_MS ? send(context) : first
}
