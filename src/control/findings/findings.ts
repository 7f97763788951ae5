import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { Finding, Findings } from '../../emulator/world/parts.js'
import type { World } from '../../emulator/world/world.js'
import { bearerOf } from '../../platform/authentication/bearer.js'
import { FindingList } from './finding.js'
import type { CreateJudge, Judge, Seen } from './judge.js'
import { goneSince, judgeCredentials } from './judge-credentials.js'
import { judgeKeys } from './judge-keys.js'
import { judgeLists } from './judge-lists.js'
import { judgeRefreshes } from './judge-refreshes.js'
import { judgeRequests } from './judge-requests.js'
import { judgeScopes } from './judge-scopes.js'
import { judgeSignIn } from './judge-sign-in.js'
import { judgeWebhooks } from './judge-webhooks.js'
import type { RuleName } from './rules.js'

const judges: CreateJudge[] = [
  judgeCredentials,
  judgeRefreshes,
  judgeRequests,
  judgeSignIn,
  judgeKeys,
  judgeWebhooks,
  judgeLists,
  judgeScopes,
]

/** Rules that only show when one asks are judged anew each time, so they are kept apart. */
const concluded = new Set<RuleName>(['unused_scope'])

/**
 * Judges every exchange when it is over. control-api: "Findings"
 * @param realNow real milliseconds, from any beginning: what an app does at once is not a matter of the emulator's clock.
 */
export function createFindings(getWorld: () => World, realNow: () => number): Findings {
  const listeners = new Set<(finding: Finding) => void>()
  const list = new FindingList()
  let conclusions = new FindingList()
  let panel: Judge[] | undefined

  const report = (rule: RuleName, entry: JournalEntry, seen: string) => {
    const into = concluded.has(rule) ? conclusions : list
    const finding = into.add({ rule, entry, seen })
    for (const told of listeners) told(finding)
  }
  const members = () => {
    panel ??= judges.map((create) => create(getWorld(), report, realNow))
    return panel
  }

  return {
    judge(entry) {
      // What a control call, a scenario or a person on a page does is not the app's doing.
      if (entry.surface === 'admin' || entry.surface === 'inbox' || entry.sender === 'scenario') return
      const seen = seenIn(entry, realNow())
      const gone = goneFor(getWorld(), seen)
      if (gone) {
        report('call_after_uninstall', entry, gone)
        return
      }
      for (const judge of members()) judge.judge(seen)
    },
    list() {
      conclusions = new FindingList()
      for (const judge of members()) judge.conclude?.()
      return [...list.all(), ...conclusions.all()]
    },
    clear() {
      list.clear()
      conclusions.clear()
      for (const judge of panel ?? []) judge.forget?.()
    },
    renew() {
      panel = undefined
    },
    onFinding(told) {
      listeners.add(told)
      return () => listeners.delete(told)
    },
  }
}

function seenIn(entry: JournalEntry, endedAt: number): Seen {
  const isToken = entry.path === '/oauth/token' && entry.method === 'POST'
  let answer: Record<string, unknown> | undefined
  return {
    entry,
    endedAt,
    startedAt: endedAt - entry.duration,
    bearer: entry.surface === 'api' ? bearerOf(entry.request.headers) : undefined,
    form: isToken ? new URLSearchParams(entry.request.body?.toString() ?? '') : undefined,
    answer() {
      answer ??= objectIn(entry.response.body)
      return answer
    },
  }
}

function objectIn(body: string | Buffer | undefined): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body?.toString() ?? '') as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** Why a request is one too many after an uninstall; undefined when it is none. */
function goneFor(world: World, { entry, bearer, form }: Seen): string | undefined {
  const secret = bearer ?? form?.get('refresh_token')
  const token = secret ? world.store.tokens.by('secret', secret) : undefined
  if (!token) return undefined
  const since = goneSince(world, token)
  if (since === undefined || Date.parse(entry.at) <= since) return undefined
  return `${entry.method} ${entry.path} was sent with a token of ${token.organization}, which has uninstalled the app.`
}
