import { capitalised } from '../reports/capitalised.js'
import { AuditFailure } from './audit-failure.js'
import type { Check } from './check.js'
import type { Scene } from './scene.js'
import { Inconclusive, skip, type Verdict } from './verdict.js'

/** Checks that run side by side: most of their time is waiting. */
const AT_ONCE = 8
/** No check may hold the run up for longer; real milliseconds. */
const LONGEST_CHECK = 120_000

interface Running {
  scene: Scene
  signal: AbortSignal
  /** Why a check is not run; undefined when it is. */
  unfit: (check: Check) => string | undefined
  /** Told of every verdict; true stops the run. */
  onVerdict: (check: Check, verdict: Verdict) => boolean
}

/** How many checks are run once more at the most; an app that is simply slow need not be asked twice for everything. */
const MOST_REPEATED = 8
/** Real milliseconds after which an answer is a slow one. */
const SLOW = 2_000

/**
 * Whether a verdict may come of a machine that was too busy: what is about time, or could not be found out, is tried once
 * more, alone.
 */
const isDoubtful = ({ outcome, late, sent }: Verdict): boolean =>
  (outcome === 'inconclusive' && late !== false) ||
  (outcome === 'fail' && (late === true || (sent !== undefined && (sent.status === null || sent.duration > SLOW))))

/** Runs the checks: those that share the app side by side, then the others one by one, each in its place. */
export async function runChecks(checks: Check[], running: Running): Promise<void> {
  const { scene, signal, unfit, onVerdict } = running
  let stopped = false
  const doubtful: Check[] = []
  const runOne = async (check: Check, isLast = true) => {
    if (signal.aborted) return
    const reason = stopped ? 'not run after a failure (--bail)' : unfit(check)
    const verdict = reason === undefined ? await verdictOf(check, scene, signal) : skip(capitalised(reason))
    if (signal.aborted) return
    if (!isLast && isDoubtful(verdict) && doubtful.length < MOST_REPEATED) doubtful.push(check)
    else if (onVerdict(check, verdict)) stopped = true
  }

  const locks = new Map<string, Promise<void>>()
  const locked = (check: Check): Promise<void> => {
    if (check.lock === undefined) return runOne(check, false)
    const turn = (locks.get(check.lock) ?? Promise.resolve()).then(() => runOne(check, false))
    locks.set(check.lock, turn)
    return turn
  }
  // What waits for others begins first.
  const together = checks.filter(({ place = 'together' }) => place === 'together')
  const queue = together.toSorted((a, b) => Number(b.lock !== undefined) - Number(a.lock !== undefined))
  const worker = async () => {
    for (let check = queue.shift(); check; check = queue.shift()) await locked(check)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const again = async () => {
    for (const check of doubtful.splice(0)) await runOne(check)
  }
  await again()
  for (const place of ['alone', 'last'] as const) {
    for (const check of checks) if (check.place === place) await runOne(check, false).then(again)
  }
}

/** What a check finds; inconclusive when it takes too long, and at once when the run is interrupted. */
async function verdictOf(check: Check, scene: Scene, signal: AbortSignal): Promise<Verdict> {
  let late: NodeJS.Timeout | undefined
  let interrupt = () => {}
  const deadline = new Promise<never>((_, reject) => {
    const giveUp = (why: string) => reject(new Inconclusive(why, { late: false }))
    late = setTimeout(() => giveUp(`the check did not end within ${LONGEST_CHECK / 1000} s`), LONGEST_CHECK)
    interrupt = () => giveUp('the run was interrupted')
    signal.addEventListener('abort', interrupt)
  })
  try {
    return await Promise.race([check.run(scene), deadline])
  } catch (error) {
    if (error instanceof AuditFailure) throw error
    const { message } = error as Error
    const evidence = error instanceof Inconclusive ? error.evidence : {}
    return { outcome: 'inconclusive', message: capitalised(message), ...evidence }
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', interrupt)
  }
}
