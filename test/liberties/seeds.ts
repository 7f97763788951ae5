/** The seeds of proofs that take long: one in the suite. */
export const fewSeeds = Array.from({ length: Number(process.env.LIBERTY_SEEDS ?? 1) }, (_, index) => String(index + 1))

/** The seeds of a proof: three in the suite, more where `LIBERTY_SEEDS=50` says so. */
export const seeds = Array.from({ length: Number(process.env.LIBERTY_SEEDS ?? 3) }, (_, index) => String(index + 1))
