/** A validation issue in a body, a query or a document. `path` is dotted: `properties.questions.0.text`. */
export interface Issue {
  path: string
  message: string
}

/** An issue of a request. `reason` says it in more words, for the journal only. */
export type ExplainedIssue = Issue & { reason?: string }

/** Something in a request that its sender should know; a refused request may have some, too. */
export type Warning = Issue & { code: string }

/** The way to a part of a JSON value: names of fields and positions in arrays. */
export type Path = (string | number)[]

/** Returns what a value has at a path; undefined when it has nothing there. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | null | undefined)?.[key], value)
