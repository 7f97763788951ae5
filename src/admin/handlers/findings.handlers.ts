import type { World } from '../../world/world.js'
import type { CallResult, Handlers } from '../call-types.js'
import type { findingSchemas } from '../schemas/findings.schemas.js'
import { appOf } from './named-records.js'

/** The rules of a world's findings are those of the table. */
const listed = (world: World) => world.findings.list() as CallResult<'listFindings'>

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
