/** One event of the stream, as it stands on the wire. */
export interface ServerSentEvent {
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire holds, and fails where it is not there
  data: any
}

/** A client of the stream that reads for as long as it is not told to stop. Its reading is independent of src. */
export async function openStream(url: string, headers: Record<string, string> = {}) {
  const closed = new AbortController()
  const response = await fetch(url, { headers, signal: closed.signal })
  const events: ServerSentEvent[] = []
  const waiting = new Set<() => void>()

  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of response.body as AsyncIterable<Uint8Array>) {
      text += decoder.decode(piece, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields = Object.fromEntries(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
        )
        text = text.slice(end + 2)
        if (fields.data !== undefined) {
          events.push({ id: fields.id ?? '', type: fields.event ?? '', data: JSON.parse(fields.data) })
        }
      }
      for (const look of waiting) look()
    }
  }
  const ended = response.ok ? read().catch(() => {}) : Promise.resolve()

  return {
    response,
    events,
    ofType: (type: string) => events.filter((event) => event.type === type),
    /** Resolves when what was read so far satisfies `isEnough`. @throws Error after a minute */
    until(isEnough: (events: ServerSentEvent[]) => boolean, what: string): Promise<void> {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!isEnough(events)) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve()
        }
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`The stream never told of ${what}; it told of ${JSON.stringify(events.slice(-5))}`))
        }, 60_000)
        waiting.add(look)
        look()
      })
    },
    async close() {
      closed.abort()
      await ended
    },
  }
}
