import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'
import { type Block, blocksIn, nameOf } from './pages.js'
import { missingFrom } from './run-page.js'

const run = promisify(execFile)
const blocks = blocksIn('js', 'ts').filter(({ file }) => file === undefined)
const toRun = blocks.filter(({ notRun }) => !notRun)
const isCommonJs = ({ code }: Block) => /\brequire\(/.test(code)

/** In the package's own folder, where its name and its dependencies are found. */
let folder: string
beforeAll(async () => {
  await mkdir(join(ROOT, '.docs'), { recursive: true })
  folder = await mkdtemp(join(ROOT, '.docs', 'blocks-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const fileOf = (block: Block, extension: string) =>
  join(folder, `${nameOf(block).replace(/[^\w.-]/g, '-')}.${isCommonJs(block) ? 'c' : 'm'}${extension}`)

test.concurrent.for(toRun.map((block) => [nameOf(block), block] as const))(
  'the code at %s runs, and prints what follows it',
  async ([, block]) => {
    const file = fileOf(block, 'js')
    const { code } = await transform(block.code, { loader: 'ts' })
    await writeFile(file, code)
    const { stdout } = await run(process.execPath, [file], { cwd: ROOT, env: cleanEnvironment(folder) })
    const missing = missingFrom(stdout, block.output ?? '')
    expect({ missing, stdout: missing ? stdout : '' }).toEqual({ missing: undefined, stdout: '' })
  },
)

describe('types', () => {
  test('the code of the pages passes the type check under strict', async () => {
    const types = join(folder, 'types')
    await mkdir(types)
    const checked = blocks.filter(({ language, notRun }) => language === 'ts' || !notRun)
    for (const block of checked) {
      // A module of its own, whatever it imports. Only in JavaScript `require` has types.
      const file = isCommonJs(block) ? fileOf(block, 'js') : fileOf(block, 'ts')
      await writeFile(file.replace(folder, types), isCommonJs(block) ? block.code : `${block.code}\nexport {}\n`)
    }
    const compilerOptions = {
      strict: true,
      allowJs: true,
      checkJs: true,
      noUncheckedIndexedAccess: true,
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
      skipLibCheck: true,
      noEmit: true,
    }
    await writeFile(join(types, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', types], { cwd: ROOT }).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })
})
