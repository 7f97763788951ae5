/** Processes items in order, at most `atOnce` at a time. Rejects with the first failure. */
export async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>) {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}
