import { expect } from 'vitest'
import { test } from '../harness/command-line.js'
import { pages } from './pages.js'
import { missingFrom, runPage } from './run-page.js'

const withShell = pages
  .map(({ file, blocks }) => ({ file, blocks: blocks.filter(({ language, notRun }) => language === 'sh' && !notRun) }))
  .filter(({ blocks }) => blocks.length > 0)

/** A block of `text` that follows a block of `sh` is what it prints. The commands are those of a POSIX shell. */
test.skipIf(process.platform === 'win32').for(withShell)(
  'the commands of $file work when they are pasted, block by block',
  async ({ blocks }, { folder, signal }) => {
    const { status, stderr, outputs } = await runPage(blocks, folder, signal)
    const failed = blocks[outputs.length - 1]
    expect({
      status,
      at: status === 0 ? '' : `line ${failed?.line}`,
      stderr: status === 0 ? '' : stderr,
      output: status === 0 ? '' : outputs.at(-1),
    }).toEqual({
      status: 0,
      at: '',
      stderr: '',
      output: '',
    })
    for (const [index, { line, output = '' }] of blocks.entries()) {
      const printed = outputs[index] ?? ''
      const missing = missingFrom(printed, output)
      expect({ line, missing, printed: missing ? printed : '' }).toEqual({ line, missing: undefined, printed: '' })
    }
  },
)
