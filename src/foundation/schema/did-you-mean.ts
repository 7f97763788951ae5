import damerauLevenshtein from 'damerau-levenshtein'

const MAX_NAME_LENGTH = 64

/** Returns the known name that is closest to `given`; undefined when none is close. */
export function nearestName(given: string, known: string[]): string | undefined {
  const [nearest] = (given.length > MAX_NAME_LENGTH ? [] : known)
    .map((name) => ({ name, distance: damerauLevenshtein(given.toLowerCase(), name.toLowerCase()).steps }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.name
}

/** `; did you mean "x"?` for the known name that is closest to `given`; when none is close, the known names. */
export function didYouMean(given: string, known: string[]): string {
  const nearest = nearestName(given, known)
  if (nearest !== undefined) return `; did you mean "${nearest}"?`
  return known.length > 0 ? `; expected one of ${known.join(', ')}` : '; there are none'
}
