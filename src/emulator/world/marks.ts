/** Returns the names of a test and its step in one line. coverage: "Marks" */
export const markPath = (marks: string[]): string => marks.join(' › ')

/** Returns true if `mark` is one of the names, or their path. */
export const hasMark = (marks: string[] | undefined, mark: string): boolean =>
  marks !== undefined && (marks.includes(mark) || markPath(marks) === mark)
