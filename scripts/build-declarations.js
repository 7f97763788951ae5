import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Modules of `src` whose types are inferred from schemas; the named types take their place. */
const INFERRED = [
  'control/admin/calls',
  'control/client/admin',
  'control/fixtures/document',
  'emulator/world/setting-table',
  'programs/audit/app/file',
]

const BANNER = `// Made by \`npm run build\`; docs/api.d.ts is a copy.
/// <reference lib="es2021.promise" />
/// <reference lib="es2022.error" />
/// <reference lib="esnext.disposable" />

declare global {
  /** The project's own declaration of it: that of Node.js, of the DOM, or none. */
  interface AbortSignal {}
}
`

/** The declarations of the last build, and the digest of its sources: making them takes most of a build. */
const KEPT = 'node_modules/.cache/mockademy-declarations.json'

/**
 * Writes the declarations of the package: those of the last build, if nothing has changed since.
 * @param writeWireTypes returns the text of the module with the named types (`scripts/generate/wire-types.ts`).
 * @param folder for the compiler's files.
 * @param out where `index.d.cts`, `index.d.ts`, `playwright.d.ts` and `vitest.d.ts` go.
 */
export async function buildDeclarations(writeWireTypes, folder, out) {
  const digest = digestOfSources()
  const kept = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : {}
  const files = kept.digest === digest ? kept.files : await makeDeclarations(await writeWireTypes(), folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text)
  if (files === kept.files) return
  mkdirSync(dirname(KEPT), { recursive: true })
  // Builds may run at once.
  writeFileSync(`${KEPT}.${process.pid}`, JSON.stringify({ digest, files }))
  renameSync(`${KEPT}.${process.pid}`, KEPT)
}

/** Returns a digest of everything that declarations are made of. */
function digestOfSources() {
  const sources = ['scripts', 'src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  )
  const hash = createHash('sha256')
  const settings = ['tsconfig.json', 'node_modules/.package-lock.json'].filter((file) => existsSync(file))
  for (const file of [...sources.sort(), ...settings]) {
    hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/** Returns the declarations by the names of their files: the compiler makes them, and a bundler puts together what is public. */
async function makeDeclarations(wireTypes, folder) {
  // Loaded where they are needed, as most builds change no declaration.
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')])
  const project = resolve('scripts/tsconfig.declarations.json')
  const compiler = ['node_modules/typescript/bin/tsc', '-p', project, '--outDir', folder]
  // It complains of types that it cannot name and writes no declarations for them. That matters for none but the public ones.
  const { stdout: complaints } = spawnSync(process.execPath, compiler, { encoding: 'utf8' })
  writeFileSync(resolve(folder, 'control/client/wire-types.d.ts'), wireTypes)
  const named = resolve(folder, 'control/client/named-types.d.ts')
  writeFileSync(named, "export * from './wire-types.js'\n")
  const entry = resolve(folder, 'package.d.ts')
  writeFileSync(entry, "export * from './index.js'\nexport type * from './control/client/wire-types.js'\n")

  const inferred = new Set(INFERRED.map((module) => resolve(folder, `${module}.d.ts`)))
  const namedInstead = {
    name: 'named-instead-of-inferred',
    resolveId(source, importer) {
      if (!importer) return undefined
      const file = resolve(dirname(importer), source.replace(/\.js$/, '.d.ts'))
      if (inferred.has(file)) return named
      return existsSync(file) ? file : { id: source, external: true }
    },
  }
  const bundle = await rollup({
    input: entry,
    plugins: [namedInstead, dts()],
    // Declarations that are left out import more from the modules that are replaced.
    shimMissingExports: true,
    onLog(_, { code, message }) {
      if (code !== 'SHIMMED_EXPORT') throw new Error(message)
    },
  })
  const { output } = await bundle.generate({ banner: BANNER })
  const [{ code, imports }] = output
  if (imports.length > 0) throw new Error(`The declarations import ${imports.join(', ')}.\n${complaints}`)
  const declarations = code.replace('var _missingExportShim = void 0;\n', '')
  if (declarations.includes('_missingExportShim')) throw new Error('The declarations use a type that has no name')
  const ofRunner = (file) => formatted(readFileSync(join(folder, file), 'utf8'))
  return {
    'index.d.cts': formatted(declarations),
    'index.d.ts': "export * from './index.cjs'\n",
    'vitest.d.ts': ofRunner('vitest.d.ts'),
    'playwright.d.ts': ofRunner('playwright.d.ts'),
  }
}

const formatted = (input) =>
  execFileSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'format', '--stdin-file-path=index.d.ts'], {
    input,
    encoding: 'utf8',
  })
