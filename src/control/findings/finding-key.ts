/** Returns what tells findings of a world apart: the rule and the app; in a run of an audit or sweep, the organization too. */
export const findingKey = (finding: {
  rule: string
  app: string | null
  organization?: string | null | undefined
  run?: string | undefined
}): string => {
  const { rule, app, organization, run } = finding
  return [rule, app, ...(run === undefined ? [] : [run, organization])].join(' ')
}
