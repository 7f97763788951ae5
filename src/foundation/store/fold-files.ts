import { open, readFile, stat } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import type { AnyRecord } from './kind.js'
import { isSealed, writeSealed } from './seal.js'
import { StagingFolder } from './staging-folder.js'
import {
  type JournalLine,
  lastStates,
  linesOf,
  type OutgoingDocument,
  type RecordTexts,
  type StoreHeader,
} from './store-document.js'
import { type Block, readLayout, recordsOf } from './store-layout.js'

/**
 * Folds the first `bytes` bytes of a store's journal into its `store.json`. @returns the new size of that, in bytes.
 * @throws Error when either is not as it was written: it would be sealed as if it were.
 */
export async function foldFiles(file: string, owner: string, bytes: number): Promise<number> {
  if (!(await isSealed(file))) throw new Error(`${file} has been changed`)
  await readLayout(file, async (header, blocks) => {
    const { sealed: _, collections: __, ...fields } = JSON.parse(header) as StoreHeader & Record<string, unknown>
    const journal = (await readFile(`${file}.journal`)).subarray(0, bytes)
    const lines = linesOf(journal).filter(({ n }) => n > fields.folded)
    const { n: folded, counters } = lines.at(-1) ?? { n: fields.folded, counters: fields.counters }
    await writeDocument(file, owner, { ...fields, folded, counters, records: changed(blocks, lines) })
  })
  return (await stat(file)).size
}

/** Yields a document's records with changes made to them: a record keeps its place, and a new one comes last of its kind. */
async function* changed(blocks: AsyncIterable<Block>, lines: JournalLine[]): AsyncGenerator<RecordTexts> {
  const states: Map<string, Map<string, AnyRecord | null>> = lastStates(lines)
  let last = ''
  for await (const block of blocks) {
    if (block.collection !== last) yield added(last)
    last = block.collection
    const ofCollection = states.get(last)
    yield { collection: last, texts: ofCollection ? replaced(block, ofCollection) : recordsOf(block) }
  }
  for (const collection of [last, ...states.keys()]) yield added(collection)

  function added(collection: string): RecordTexts {
    const records = [...(states.get(collection)?.values() ?? [])]
    states.delete(collection)
    return { collection, texts: records.flatMap((record) => (record ? JSON.stringify(record) : [])) }
  }
}

/** Yields the present records of a block, whose states are removed. */
function* replaced(block: Block, states: Map<string, AnyRecord | null>): Generator<string> {
  const ids = (JSON.parse(`[${block.text}]`) as AnyRecord[]).map(({ id }) => id)
  for (const [index, text] of recordsOf(block).entries()) {
    const id = ids[index] as string
    const state = states.get(id)
    states.delete(id)
    if (state === undefined) yield text
    else if (state) yield JSON.stringify(state)
  }
}

/** Replaces `store.json`, at once and whole. Only its owner may read it, as it holds secrets. */
export async function writeDocument(file: string, owner: string, document: OutgoingDocument): Promise<void> {
  using staging = new StagingFolder(file, owner)
  await new Low(new StoreAdapter(staging.join('document')), document).write()
  staging.moveOut('document', file)
}

/** Writes for lowdb. Its own adapters make one text of the whole document, in a file that every user may read. */
class StoreAdapter implements Adapter<OutgoingDocument> {
  constructor(readonly file: string) {}

  read(): Promise<null> {
    return Promise.resolve(null)
  }

  async write(document: OutgoingDocument): Promise<void> {
    const handle = await open(this.file, 'wx', 0o600)
    try {
      await writeSealed(handle, document)
    } finally {
      await handle.close()
    }
  }
}
