import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { CreateJudge } from './judge.js'
import { Recent } from './recent.js'

/** unused_scope. control-api: "Findings" */
export const judgeScopes: CreateJudge = (world, report) => {
  /** Keyed by installation. */
  const used = new Recent<string, { scopes: Set<string>; last: JournalEntry }>()

  return {
    // A request needs its scope whatever its response is.
    judge({ entry, bearer }) {
      if (bearer === undefined) return
      const token = world.store.tokens.by('secret', bearer)
      if (token?.kind !== 'access' || token.grant !== 'install') return
      const before = used.get(token.installation)
      const use = before ?? { scopes: new Set<string>(), last: entry }
      if (entry.scope) use.scopes.add(entry.scope)
      use.last = entry
      if (!before) used.set(token.installation, use)
    },

    conclude() {
      for (const [id, { scopes, last }] of used) {
        const installation = world.store.installations.get(id)
        if (installation?.state !== 'installed') continue
        const unused = installation.scope.split(' ').filter((scope) => scope !== '' && !scopes.has(scope))
        if (unused.length === 0) continue
        const granted = `what ${installation.organization} granted: ${unused.join(', ')}`
        report('unused_scope', last, `The app never used ${granted}.`)
      }
    },

    forget: () => used.clear(),
  }
}
