const LONGEST = 64

/** `; did you mean "x"?` for the known name that is closest to `given`; when none is close, which names are known. */
export function didYouMean(given: string, known: string[]): string {
  const [nearest] = (given.length > LONGEST ? [] : known)
    .map((name) => ({ name, distance: distanceOf(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  if (nearest) return `; did you mean "${nearest.name}"?`
  return known.length > 0 ? `; known are ${known.join(', ')}` : '; there are none'
}

/** How many letters must be added, dropped, changed or swapped with their neighbour to turn `a` into `b`. */
function distanceOf(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(change, swap, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] as number
}
