/** Result of one endurance run. */
export interface Trial {
  name: string
  figures: Record<string, string | number>
  /** Promises that were not kept, one sentence each; none when all is well. */
  broken: string[]
  /** Reason for skipping it, if any. */
  skipped?: string
}

/** Collects broken promises: the first of a kind in words, then how many more. */
export interface Complaints {
  add: (kind: string, example: string) => void
  list: () => string[]
}

export function createComplaints(): Complaints {
  const kinds = new Map<string, { example: string; count: number }>()
  return {
    add(kind, example) {
      const seen = kinds.get(kind)
      if (seen) seen.count++
      else kinds.set(kind, { example, count: 1 })
    },
    list: () => [...kinds].map(([kind, { example, count }]) => `${kind} (${count} times), first: ${example}`),
  }
}

export function trialText({ name, figures, broken, skipped }: Trial): string {
  if (skipped !== undefined) return `${name}: skipped: ${skipped}\n`
  const width = Math.max(...Object.keys(figures).map((figure) => figure.length))
  return [
    `${name}: ${broken.length === 0 ? 'held' : 'BROKEN'}`,
    ...Object.entries(figures).map(([figure, value]) => `  ${figure.padEnd(width)}  ${value}`),
    ...broken.map((promise) => `  BROKEN: ${promise}`),
    '',
  ].join('\n')
}
