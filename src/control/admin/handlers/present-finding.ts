import type { Redactor } from '../../../emulator/journal/known-secrets.js'
import type { Finding } from '../../../emulator/world/parts.js'
import type { CallResult } from '../call-types.js'

type ShownFinding = CallResult<'listFindings'>[number]

/** control-api: "Findings"; secrets redacted as "Journal" says. The rules of a world's findings are those of the table. */
export const presentFinding = (finding: Finding, hide: Redactor): ShownFinding => ({
  ...(finding as ShownFinding),
  message: hide(finding.message),
})
