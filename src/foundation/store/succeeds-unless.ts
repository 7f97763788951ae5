/** Runs `work`. @returns false when it fails with this code. @throws every other error. */
export function succeedsUnless(code: string, work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return false
    throw error
  }
}
