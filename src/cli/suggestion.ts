/** ` Did you mean "x"?` when one of the candidates is close to what was typed; else nothing. */
export function suggestion(typed: string, candidates: Iterable<string>): string {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(typed, candidate)
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { candidate, distance }
  }
  if (!best || best.distance > Math.max(typed.length > 3 ? 2 : 1, Math.floor(typed.length / 3))) return ''
  return ` Did you mean ${best.candidate}?`
}

/** Levenshtein's: how many characters must be put in, left out or replaced. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
