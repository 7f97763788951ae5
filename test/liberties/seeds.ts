/** The seeds of a proof: three in the suite, more where `LIBERTY_SEEDS=50` says so. */
export const seeds = Array.from({ length: Number(process.env.LIBERTY_SEEDS ?? 3) }, (_, index) => String(index + 1))
