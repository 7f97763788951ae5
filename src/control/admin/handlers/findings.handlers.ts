import { createRedactor } from '../../../emulator/journal/known-secrets.js'
import type { World } from '../../../emulator/world/world.js'
import type { Handlers } from '../call-types.js'
import type { findingSchemas } from '../schemas/findings.schemas.js'
import { appOf } from './named-records.js'
import { presentFinding } from './present-finding.js'

function listed(world: World) {
  const hide = createRedactor(world)
  return world.findings.list().map((finding) => presentFinding(finding, hide))
}

/** control-api: "Findings" */
export const findingHandlers: Handlers<keyof typeof findingSchemas> = {
  listFindings(world, { query: { app, rule, level } }) {
    const id = app === undefined ? undefined : appOf(world, app).id
    return listed(world).filter(
      (finding) =>
        (id === undefined || finding.app === id) &&
        (rule === undefined || finding.rule === rule) &&
        (level === undefined || finding.level === level),
    )
  },
  clearFindings(world) {
    const findings = listed(world)
    world.findings.clear()
    return findings
  },
}
