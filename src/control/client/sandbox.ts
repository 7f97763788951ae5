import { InvalidOptionsError } from '../../foundation/schema/options.js'
import type { Admin, Sandbox } from './admin.js'

/** Makes a sandbox, and binds calls to its organization. control-api: "Sandboxes" */
export async function makeSandbox(admin: Admin, given: Parameters<Admin['sandbox']>[0]): Promise<Sandbox> {
  const made = await admin.createSandbox(given)
  const { id, people } = made
  const where = { organization: made.organization.slug }
  return {
    ...made,
    fault: (fault) => admin.addFault({ ...fault, match: { ...fault.match, ...where } }),
    requests: (query) => admin.listRequests({ ...query, ...where }),
    deliveries: (query) => admin.listDeliveries({ ...query, ...where }),
    findings: (query) => admin.listFindings({ ...query, ...where }),
    settled: (query) => admin.deliveriesSettled({ ...query, ...where }),
    async expireTokens(filters = {}) {
      // The types have neither.
      const path = ['token', 'all'].find((name) => name in filters)
      if (path !== undefined) {
        const message =
          'is not a filter of a sandbox: without filters, all of its access tokens expire; for one token, call admin.expireTokens({ token })'
        throw new InvalidOptionsError([{ path, message }])
      }
      return admin.expireTokens({ ...filters, ...where })
    },
    async sessionFor(role) {
      const person = people[role]
      if (!person) {
        const message = `must be ${Object.keys(people).join(' or ')}: the sandbox has no ${role}`
        throw new InvalidOptionsError([{ path: 'role', message }])
      }
      return (await admin.signIn(person.id)).cookie
    },
    clock: {
      async now() {
        const { organizations, now } = await admin.clock()
        const own = organizations.find(({ organization }) => organization === where.organization)
        // Its clock has never been moved, or the sandbox has ended: then this rejects.
        if (!own) await admin.getOrganization(where.organization)
        return own?.now ?? now
      },
      advance: (by) => admin.advanceClock(by, where),
      freeze: (at) => admin.freezeClock(at, where),
      resume: () => admin.resumeClock(where),
    },
    async end() {
      await admin.deleteSandbox(id)
    },
  }
}
