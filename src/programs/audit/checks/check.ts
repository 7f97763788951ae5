import type { ManifestPart } from '../app/app-under-test.js'
import type { Evidence } from '../app/failures.js'
import type { FileKey } from '../app/file.js'
import { causeOfLostToken, causeOfRefreshes } from '../context/causes.js'
import type { AuditContext } from '../context/context.js'
import { hangs } from '../context/tenant.js'

/** The worst first. */
export const severities = ['critical', 'high', 'medium', 'low'] as const
/** The severity of a failed check. */
export type Severity = (typeof severities)[number]

export interface Check {
  id: string
  /** The behavior of a good app, as a test's name. */
  title: string
  severity: Severity
  /** Keys of the audit's file and parts of the manifest. */
  needs: readonly (FileKey | ManifestPart)[]
  /** The rule: a section of the platform (`spec: §5.2.3`), an RFC, ASVS. */
  source: string
  /** The behavior of a good app, in full. */
  expected: string
  remedy: string
  /** Checks whose failure explains this one, the most fundamental first. audit: rule 4b */
  explainedBy?: readonly string[]
  /** The app may respond with a 429, because the platform limits its requests. */
  acceptsLimit?: true
  /**
   * The check runs beside others when left out. One that lets requests hang runs alone: an app that handles one request at
   * a time responds to no other meanwhile.
   */
  order?: 'alone' | 'last'
  run(context: AuditContext): Promise<Verdict>
  /** Verifies after a pass that the app accepts the same attempt without the attack. @throws Inconclusive. audit: "Rules of a fair audit" 1 */
  control?(context: AuditContext): Promise<unknown>
}

export const probeNeeds = ['webhook', 'oauth.install', 'probe'] as const
export const signInNeeds = ['oauth.authorize', 'start'] as const

/** A fix, and how to make it in the words of the libraries of each stack. audit: rule 5 */
type Remedy = { fix: string } & Partial<Record<'Node' | 'Python' | 'Go' | 'Ruby' | 'PHP', string | undefined>>

/** An entry of a table of checks. Its key is its id. */
export type CheckEntry = Omit<Check, 'id' | 'needs' | 'remedy'> & Partial<Pick<Check, 'needs'>> & Remedy

/** Returns a function that makes checks of a table, in its order. @param shared parts of entries that declare no others. */
export const defineChecks =
  (shared: Pick<Check, 'needs' | 'control' | 'explainedBy' | 'order'>) =>
  (table: Record<string, CheckEntry>): Check[] =>
    Object.entries(table).map(([id, { fix, Node, Python, Go, Ruby, PHP, ...entry }]) => {
      const stacks = Object.entries({ Node, Python, Go, Ruby, PHP })
      const hints = stacks.flatMap(([stack, hint]) => (hint ? `${stack}: ${hint}` : []))
      return { id, ...shared, ...entry, remedy: [fix, ...hints].join('\n') }
    })

/** Result of a check before the file's `accept` is applied. */
export interface Verdict extends Evidence {
  outcome: 'pass' | 'fail' | 'warn' | 'skip' | 'inconclusive'
  /** One sentence, without a full stop. */
  message: string
}

export const pass = (message: string): Verdict => ({ outcome: 'pass', message })

export const skip = (message: string): Verdict => ({ outcome: 'skip', message })

/** @param evidence may be anything that has evidence among its properties: an observed probe, a visit, a landing. */
export const fail = (message: string, { sent, seen, entries, late, followsFrom }: Evidence = {}): Verdict => ({
  outcome: 'fail',
  message,
  ...{ sent, seen, entries, late, followsFrom },
})

/** Makes a failure from refreshes. Its cause is `api.background` or `api.not-early` if the app refreshes without a 401. */
export const failOfRefreshes = async (context: AuditContext, message: string, evidence: Evidence): Promise<Verdict> =>
  fail(message, { ...evidence, followsFrom: (await causeOfRefreshes(context)) ?? evidence.followsFrom })

/** Makes a failure of an app that may have kept an old token. Its cause is `api.rotation-kept` if a second refresh fails alone. */
export const failOfLostToken = async (context: AuditContext, message: string, evidence: Evidence): Promise<Verdict> =>
  fail(message, { ...evidence, followsFrom: await causeOfLostToken(context) })

/**
 * Makes the `run` of a check that tries variants side by side, and then those that hang: an app that handles one request
 * at a time responds to no other meanwhile. @param describePass makes the message of a pass.
 */
export const tryEach =
  <V>(
    variants: Record<string, V>,
    attempt: (context: AuditContext, name: string, variant: V) => Promise<Verdict>,
    describePass: (messages: string[]) => string,
  ): Check['run'] =>
  async (context) => {
    const attempts: Promise<Verdict>[] = []
    for (const isHanging of [false, true]) {
      const group = Object.entries(variants).filter(([, variant]) => hangs(variant) === isHanging)
      attempts.push(...group.map(([name, variant]) => attempt(context, name, variant)))
      await Promise.allSettled(attempts)
    }
    const settled = await Promise.allSettled(attempts)
    // A variant that fails may keep the others from their verdicts.
    const failure = joinFailures(settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])))
    if (failure) return failure
    const verdicts = await Promise.all(attempts)
    return pass(describePass(verdicts.map(({ message }) => message)))
  }

function joinFailures(verdicts: Verdict[]): Verdict | undefined {
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  const [first] = failed
  const joined = (key: 'message' | 'seen') => [...new Set(failed.flatMap((each) => each[key] || []))].join('; ')
  return first && { ...first, message: joined('message'), seen: joined('seen') }
}
