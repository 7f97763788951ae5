import compare from 'semver/functions/compare.js'

/** Compares versions by semver precedence. */
export const byPrecedence = (a: { version: string }, b: { version: string }) => compare(a.version, b.version)

/** Returns the newest by semver precedence; of equals the one that was pushed last. fixtures: "Newest" */
export const newestVersion = <V extends { version: string }>(versions: V[]): V | undefined =>
  versions.toSorted(byPrecedence).at(-1)
