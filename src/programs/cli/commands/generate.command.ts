import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { shellQuoted } from '../../../emulator/world/shell-quoted.js'
import { replaceFile } from '../../../foundation/store/replaceable-file.js'
import type { WorldProgress, WorldSize } from '../../generator/synthetic-world.js'
import { pluralize } from '../../reports/pluralize.js'
import { type Arguments, type Command, flag, printNote, textFrom, wrongUse } from '../command/command.js'
import { makeFolderOf } from '../files/output-file.js'
import { abortOnStop, INTERRUPTED } from '../processes/stop-signal.js'
import { endProgress, showProgress } from '../terminal/progress-line.js'

const SCHEMA = './node_modules/mockademy/fixtures/schema.json'

const sizeFlags = {
  organizations: flag.text('Number of organizations', { default: '1' }),
  courses: flag.text('Courses of each organization', { default: '3' }),
  elements: flag.text('Elements of each organization, of every type', { default: '60' }),
  members: flag.text('Members of each organization', { default: '20' }),
  activities: flag.text('Activities of each organization', { default: '100' }),
}

/** `mockademy generate`: a fixture document of invented organizations. control-api: "CLI" */
export const generateCommand: Command = {
  flags: {
    seed: flag.text('The same seed and numbers give the same bytes', { default: '1' }),
    ...sizeFlags,
    out: flag.path('File to write; - for standard output', { defaultDescription: 'standard output' }),
  },
  example: '--elements 100000 --members 500 --out big.json',

  async run(args) {
    const size = sizeFrom(args)
    const out = textFrom(args, 'out') ?? '-'
    const seed = textFrom(args, 'seed') as string
    const { syntheticKey, syntheticWorld } = await import('../../generator/synthetic-world.js')
    const { organizations, text: pieces } = syntheticWorld(seed, size, SCHEMA, progressOf(size))
    const text = Readable.from(pieces)
    const status = await (out === '-' ? print(text) : writeFile(text, out)).finally(endProgress)
    if (out === '-' || status !== 0) return status
    const [organization, ...others] = organizations
    const first = organization ? `, with ${organization.slug} (API key ${syntheticKey(organization.slug)})` : ''
    const more = others.length > 0 ? ` and ${pluralize(others.length, 'more organization')}` : ''
    printNote(`${out}: written${first}${more}. Start with it: mockademy start --fresh --fixtures ${shellQuoted(out)}`)
    return 0
  },
}

/** @throws CommandFailure 2 naming the flag whose number makes no world. */
function sizeFrom(args: Arguments): WorldSize {
  const entries = Object.keys(sizeFlags).map((flag) => {
    const text = textFrom(args, flag) as string
    if (!/^\d{1,9}$/.test(text)) throw wrongUse(`--${flag} ${JSON.stringify(text)}: must be a whole number, 0 or more`)
    return [flag, Number(text)]
  })
  const size = Object.fromEntries(entries) as WorldSize
  const { courses, elements, members, activities } = size
  if (elements > 0 && courses === 0) throw wrongUse(`--elements ${elements}: needs at least one course; give --courses`)
  if (activities > 0 && (elements === 0 || members === 0)) {
    throw wrongUse(
      `--activities ${activities}: needs elements and members; give --activities 0, or --elements and --members`,
    )
  }
  return size
}

/** Ends without an error when the reader closes the pipe, as `head` does. */
async function print(text: Readable): Promise<number> {
  try {
    await pipeline(text, process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
  return 0
}

/** Writes the file whole, or not at all. @returns the exit status. @throws CommandFailure 2 */
async function writeFile(text: Readable, out: string): Promise<number> {
  const { signal } = abortOnStop()
  await makeFolderOf(out)
  try {
    await replaceFile(out, (draft) => pipeline(text, createWriteStream(draft), { signal }))
  } catch (error) {
    if (signal.aborted) return INTERRUPTED
    throw wrongUse(`${out} cannot be written: ${(error as Error).message}`)
  }
  return 0
}

function progressOf({ elements }: WorldSize) {
  let shown = 0
  return ({ organization, elements: done }: WorldProgress) => {
    if (performance.now() - shown < 100) return
    shown = performance.now()
    showProgress(`${organization}: ${done} of ${elements} elements`)
  }
}
