/** Returns a function that turns pieces of a stream of server-sent events into events. Used in browsers too. */
export function eventParser<E>(): (piece: string) => E[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => {
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(': ')
          return [line.slice(0, colon), line.slice(colon + 2)]
        }),
      )
      const data = fields.get('data')
      if (data === undefined) return []
      return [{ id: Number(fields.get('id')), type: fields.get('event'), data: JSON.parse(data) } as E]
    })
  }
}
