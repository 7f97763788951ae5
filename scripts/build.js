// Bundles src into dist: the package, the command line, the console, and the default world. design: "Package"
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { build } from 'esbuild'

const OUT = 'dist'
/** Programs of the build itself, which are not part of the package. */
const TOOLS = '.build'

/**
 * What express loads and nothing here uses: reading bodies and files, media types, templates. It would be the larger half
 * of what a start has to read. Each is replaced by nothing.
 */
const UNUSED_IN_EXPRESS = ['accepts', 'body-parser', 'mime-types', 'qs', 'send', 'serve-static', 'type-is']
/** Messages of zod in other languages. */
const LOCALES = /^\.\.?\/locales\/index/

const withoutUnused = {
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    const leaveOut = (filter, importers) =>
      onResolve({ filter }, ({ path, importer }) => (importers.test(importer) ? { path, namespace: 'unused' } : undefined))
    leaveOut(new RegExp(`^(${UNUSED_IN_EXPRESS.join('|')})$`), /node_modules[/\\]express[/\\]/)
    leaveOut(LOCALES, /node_modules[/\\]zod[/\\]/)
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/**
 * Puts what every emulator needs into a file or two. A module goes where all modules are that the same entry points reach,
 * and with so many parts that are loaded late there would be fifty files, each of which costs a start a third of a
 * millisecond: so each of those parts is made to reach all of it.
 */
const CORE = ['src/start/launch.ts', 'src/fixtures/default-world.ts', 'src/admin/health.surface.ts'].map((file) => resolve(file))
const oneCore = {
  name: 'one-core',
  setup({ onResolve, onLoad }) {
    const late = new Set()
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') late.add(resolve(resolveDir, path).replace(/\.js$/, '.ts'))
      return undefined
    })
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
      if (!late.has(path) || CORE.includes(path)) return undefined
      const imports = CORE.map((file) => `import ${JSON.stringify(file)}`).join('\n')
      return { contents: `${readFileSync(path, 'utf8')}\n${imports}\n`, loader: 'ts', resolveDir: dirname(path) }
    })
  },
}

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Some packages name as "main" a file that loads its parts in a way that no bundler can follow.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
}

/** Packages in CommonJS ask for Node's own modules with `require`. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"

const packaged = { ...shared, minify: true, plugins: [withoutUnused, oneCore], external: ['vitest'], metafile: true }

for (const folder of [OUT, TOOLS]) rmSync(folder, { recursive: true, force: true })
const [esm] = await Promise.all([
  build({
    ...packaged,
    entryPoints: ['src/index.ts', 'src/cli/main.ts', 'src/store/fold-worker.ts'],
    format: 'esm',
    splitting: true,
    banner: { js: REQUIRE },
    entryNames: '[name]',
    outdir: OUT,
  }),
  build({
    ...shared,
    entryPoints: ['compile-default-world', 'fixture-schema', 'audit-schema', 'declarations'].map(
      (name) => `src/cli/${name}.ts`,
    ),
    format: 'esm',
    splitting: true,
    packages: 'external',
    outdir: TOOLS,
  }),
])

const printed = (tool) => execFileSync(process.execPath, [`${TOOLS}/${tool}.js`], { encoding: 'utf8', maxBuffer: 2 ** 26 })
writeFileSync(`${OUT}/default-world.json`, printed('compile-default-world'))
writeFileSync(`${OUT}/index.d.ts`, printed('declarations'))
writeFileSync(`${TOOLS}/meta.json`, JSON.stringify(esm.metafile))
await import('./build-console.js')
