// Makes dist: the package with all that it uses, the console, the default world, declarations, notices. design: "Package"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { minify, parse } from '@swc/core'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { billOfMaterials } from './bill-of-materials.js'
import { buildConsole } from './build-console.js'
import { buildDeclarations } from './build-declarations.js'
import { writeNotices } from './write-notices.js'

/** Programs of the build and the tests, which are not part of the package. Those of this build only, until it is done. */
const TOOLS = mkdtempSync('.build-')
/** The folder that becomes `dist`. */
const OUT = `${TOOLS}/dist`
const SBOM = resolve(OUT, 'sbom.cdx.json')
const CONSOLE_SBOM = resolve(TOOLS, 'console.cdx.json')

/**
 * Modules that packages import, and what they get instead. Most are never reached here; the substitutes of `tldts` and
 * `string-width` are, and are less exact. Without substitutes, these modules would be half of the package.
 */
const SUBSTITUTES = [
  // Requests are read and responses written by the emulator itself; of express there is its chain of handlers.
  { of: 'express', path: /^(body-parser|qs|send|serve-static)$/, instead: 'exports.mime = {}' },
  { of: 'mime-types', path: /^mime-db$/ },
  // Keys under a password, archives of them, and other signatures.
  { of: 'node-forge', path: /^\.\/(pbe|pbkdf2|pkcs12|des|mgf|pss|prime)$/ },
  // Messages in other languages.
  { of: 'zod', path: /^\.\.?\/locales\/index/ },
  // A list of the hosts that may share a cookie: for apps under audit, on this machine or beside it, two labels do.
  {
    of: 'tough-cookie',
    path: /^tldts$/,
    instead: 'exports.getDomain = (host) => (/^[\\d.]+$|:/.test(host) ? null : host.split(".").slice(-2).join("."))',
  },
  // Widths of the letters of every script, which take each command 10 ms to load: help is in plain English.
  ...['yargs', 'cliui', 'wrap-ansi'].map((of) => ({
    of,
    path: /^string-width$/,
    instead: 'export default (text) => text.length',
  })),
  // Validation of schemas: the tools check what they get by the schemas of the control API.
  { of: '@modelcontextprotocol', path: /^\.\/ajvProvider-/, instead: 'export class n {}' },
]

const withSubstitutes = {
  name: 'substitutes',
  setup({ onResolve, onLoad }) {
    for (const { of, path: filter, instead = 'module.exports = {}' } of SUBSTITUTES) {
      onResolve({ filter }, ({ path, importer }) =>
        importer.replaceAll('\\', '/').includes(`node_modules/${of}/`)
          ? { path, namespace: 'substitute', pluginData: instead }
          : undefined,
      )
    }
    onLoad({ filter: /.*/, namespace: 'substitute' }, ({ pluginData }) => ({ contents: pluginData }))
  },
}

/** Leaves out the parts of node-forge that no certificate is made with: it would load all of them. */
const partsOfForge = {
  name: 'parts-of-forge',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node-forge$/ }, ({ path }) => ({ path, namespace: 'forge' }))
    onLoad({ filter: /.*/, namespace: 'forge' }, () => ({
      contents: ['x509', 'pki', 'sha256', 'forge']
        .map((part) => `module.exports = require('node-forge/lib/${part}.js')`)
        .join('\n'),
      resolveDir: resolve('.'),
    }))
  },
}

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Some packages name as "main" a file that loads its parts in a way that no bundler can follow.
  mainFields: ['module', 'main'],
  format: 'esm',
  splitting: true,
  legalComments: 'none',
  logLevel: 'warning',
}

/** Modules whose exports are plain data, which takes most of the program to make. */
const COMPUTED = ['src/control/admin/call-table.ts', 'src/control/admin/call-fields.ts']

/** @returns the exports of these modules, and a plugin by which bundles get these and not the code that makes them. */
async function computeModules() {
  await build({ ...shared, entryPoints: COMPUTED, packages: 'external', outdir: TOOLS })
  const modules = await Promise.all(COMPUTED.map((file) => import(resolve(TOOLS, `${basename(file, '.ts')}.js`))))
  const contents = modules.map((exports) =>
    Object.entries(exports).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`),
  )
  const plugin = {
    name: 'computed',
    setup({ onLoad }) {
      for (const [index, file] of COMPUTED.entries()) {
        const filter = new RegExp(`[/\\\\]${basename(file)}$`)
        onLoad({ filter }, () => ({ contents: contents[index].join('\n'), loader: 'js' }))
      }
    },
  }
  return { plugin, data: Object.assign({}, ...modules) }
}

/** Entry points of the bundle: the library, the command line, and a thread of the store. */
const ENTRY_POINTS = [
  { in: 'src/index.ts', out: 'library' },
  { in: 'src/programs/cli/main.ts', out: 'main' },
  { in: 'src/foundation/store/fold-worker.ts', out: 'fold-worker' },
]

/** Returns the imports between the files of `src`, by their paths from here. */
async function readImports(computed) {
  const { metafile } = await build({
    ...shared,
    entryPoints: ENTRY_POINTS,
    packages: 'external',
    outdir: OUT,
    write: false,
    metafile: true,
    plugins: [computed],
  })
  const importsOf = (file) => metafile.inputs[file].imports.filter(({ path, external }) => !external && path)
  const files = Object.keys(metafile.inputs)
  const late = new Set(files.flatMap(importsOf).flatMap(({ kind, path }) => (kind === 'dynamic-import' ? [path] : [])))
  /** These files and all that they import at once. */
  const reachOf = (roots) => {
    const reached = new Set(roots)
    for (const file of reached) {
      for (const { kind, path } of importsOf(file)) if (kind !== 'dynamic-import') reached.add(path)
    }
    return reached
  }
  return { late, reachOf }
}

const COMMAND_LINE = 'src/programs/cli/main.ts'
/** Modules that every emulator needs. */
const CORE = [
  'src/control/start/launch.ts',
  'src/control/fixtures/default-world.ts',
  'src/control/admin/health.surface.ts',
]
/** Folders of the modules that commands need, also those that only talk to an emulator. */
const OF_COMMANDS = /^src\/(programs\/(cli|generator|mcp|real-platform)|foundation\/(schema|tls))\//

/**
 * Puts what every emulator needs into a file or two, what commands need of it into another, and what a command line needs
 * into a third. A module goes where all modules are that the same entry points reach, and with so many parts that are
 * loaded late there would be fifty files, each of which costs a start a third of a millisecond: so each of those parts is
 * made to reach all of what its like needs. A command that starts no emulator does not read the emulator, which would
 * be a sixth of its time.
 */
async function inFewFiles(computed) {
  const { late, reachOf } = await readImports(computed)
  const startsNone = (file) => OF_COMMANDS.test(file) && !reachOf([file]).has(CORE[0])
  const core = [...reachOf(CORE)]
  const ofCommands = reachOf([COMMAND_LINE, ...[...late].filter(startsNone)])
  // Nothing happens when data is imported.
  const sharedWithCommands = core.filter((file) => ofCommands.has(file) && !file.endsWith('.json'))
  const commandLine = [...reachOf([COMMAND_LINE, 'src/programs/cli/commands/start.command.ts'])].filter(
    (file) => startsNone(file) && !core.includes(file) && !late.has(file) && file !== COMMAND_LINE,
  )
  const added = (file) => [
    ...(startsNone(file) ? sharedWithCommands : CORE),
    ...(file.startsWith('src/programs/cli/') ? commandLine : []),
  ]
  return {
    name: 'in-few-files',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
        const file = relative('.', path).replaceAll('\\', '/')
        if (!late.has(file) && !['src/index.ts', COMMAND_LINE].includes(file)) return undefined
        const imports = added(file).map((each) => `import ${JSON.stringify(resolve(each))}`)
        return {
          contents: [readFileSync(path, 'utf8'), ...imports].join('\n'),
          loader: 'ts',
          resolveDir: dirname(path),
        }
      })
    },
  }
}

const buildPackage = async (computed) =>
  build({
    ...shared,
    entryPoints: ENTRY_POINTS,
    outExtension: { '.js': '.cjs' },
    outdir: OUT,
    minify: true,
    metafile: true,
    plugins: [...[computed, withSubstitutes, partsOfForge], ...[await inFewFiles(computed), billOfMaterials(SBOM)]],
  })

/** Builds the parts for one test runner. They import the rest from `index.js`, so that there is one of everything. */
const buildForRunners = () =>
  build({
    ...shared,
    splitting: false,
    entryPoints: ['src/vitest.ts', 'src/playwright.ts'],
    external: ['vitest', '@playwright/test', './index.js'],
    outdir: OUT,
  })

const buildTools = () =>
  build({
    ...shared,
    entryPoints: ['api-examples', 'compile-default-world', 'json-schemas', 'wire-types'].map(
      (name) => `scripts/generate/${name}.ts`,
    ),
    packages: 'external',
    outdir: TOOLS,
  })

/**
 * Makes CommonJS of the files, which was left until they had been split, as only ES modules can be. There is then one
 * form of each for `import` and `require`, and Node reads it sooner. Exports are plain properties: those of esbuild are
 * getters of getters, which took every request a tenth of its time.
 */
async function toCommonJs() {
  const bundle = await rollup({
    input: readdirSync(OUT)
      .filter((name) => name.endsWith('.cjs'))
      .map((name) => resolve(OUT, name)),
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    // It was done by esbuild.
    treeshake: false,
    plugins: [
      {
        name: 'own-url',
        resolveImportMeta: (property) =>
          property === 'url' ? 'require("node:url").pathToFileURL(__filename).href' : null,
      },
    ],
  })
  const { output } = await bundle.generate({
    format: 'cjs',
    entryFileNames: '[name].cjs',
    generatedCode: { arrowFunctions: true, constBindings: true },
    interop: 'default',
    dynamicImportInCjs: false,
    externalLiveBindings: false,
    hoistTransitiveImports: false,
    esModule: false,
    freeze: false,
  })
  await Promise.all(
    output.map(async ({ fileName, code }) => {
      // A second minifier takes another 3 %.
      const { code: small } = await minify(code, {
        ecma: 2022,
        mangle: true,
        toplevel: true,
      })
      writeFileSync(`${OUT}/${fileName}`, await inLines(small))
    }),
  )
}

/** A line is longer when nothing in it can begin another. */
const LINE_BYTES = 500

/** Breaks lines where a part of the program begins: Node shows the whole line of an error that nothing catches. */
async function inLines(code) {
  const { body, span } = await parse(code, { script: true })
  const bytes = Buffer.from(code)
  const starts = [...new Set(startsIn(body))].map((start) => start - span.start).toSorted((a, b) => a - b)
  const lines = [0]
  for (const [index, start] of starts.entries()) {
    const next = starts[index + 1] ?? bytes.length
    if (next - lines.at(-1) > LINE_BYTES && /[,;}]/.test(String.fromCharCode(bytes[start - 1]))) lines.push(start)
  }
  return lines.map((start, index) => bytes.subarray(start, lines[index + 1])).join('\n')
}

/** Yields the offset of each node, except for the text of templates, which a line break would change. */
function* startsIn(node) {
  if (typeof node !== 'object' || node === null || node.type === 'TemplateElement') return
  if (node.span) yield node.span.start
  for (const part of Object.values(node)) yield* startsIn(part)
}

/**
 * Writes what `import` and `require` get: one and the same, `library.cjs`. Both load it in a way that no bundler follows,
 * as it needs the files beside it: in a bundle they find it by the package's name, in `node_modules`. (`import.meta` is
 * empty in a bundle that is CommonJS, and `__filename` does not exist in one that is an ES module made of CommonJS.)
 */
function writeEntryPoints(metafile) {
  const { exports } = metafile.outputs[`${OUT}/library.cjs`]
  writeFileSync(
    `${OUT}/index.js`,
    `import { createRequire } from 'node:module'
export const { ${exports.join(', ')} } = createRequire(import.meta.url ?? __filename)('mockademy')
`,
  )
  writeFileSync(
    `${OUT}/index.cjs`,
    `'use strict'
const { existsSync } = require('node:fs')
const { createRequire } = require('node:module')
const isModule = typeof __filename === 'undefined'
const isBeside = !isModule && existsSync(\`\${__dirname}/library.cjs\`)
module.exports = createRequire(isModule ? \`\${process.cwd()}/\` : __filename)(isBeside ? './library.cjs' : 'mockademy')
`,
  )
}

/** Returns the text that a tool exports. The tools share what they load. */
const textOf = async (tool) => (await import(resolve(TOOLS, `${tool}.js`))).default

/**
 * Moves the files of `from` to `to`, then deletes what `to` has beside them. Each file is replaced in one step, entry
 * points after what they load, so that programs that use `to` meanwhile, as tests do, miss none of it.
 */
function replaceFiles(from, to) {
  const filesIn = (folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(relative(folder, entry.parentPath), entry.name))
  const files = filesIn(from)
  const isEntryPoint = (file) => Number(/^\w+\.c?js$/.test(file))
  for (const file of files.toSorted((a, b) => isEntryPoint(a) - isEntryPoint(b))) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    renameSync(join(from, file), join(to, file))
  }
  for (const file of filesIn(to)) if (!files.includes(file)) rmSync(join(to, file), { force: true })
}

try {
  mkdirSync(OUT)
  const { plugin, data } = await computeModules()
  const [{ metafile }] = await Promise.all([
    buildPackage(plugin),
    buildForRunners(),
    buildTools(),
    buildConsole(join(OUT, 'console'), CONSOLE_SBOM, data.callTable),
  ])
  writeFileSync(`${TOOLS}/meta.json`, JSON.stringify(metafile).replaceAll(OUT, 'dist'))
  await toCommonJs()
  writeEntryPoints(metafile)
  writeFileSync(`${OUT}/default-world.json`, await textOf('compile-default-world'))
  writeFileSync(`${OUT}/api-examples.json`, await textOf('api-examples'))
  // Mutants have types that no declaration can be made of, and none is needed for their tests.
  if (!process.argv.includes('--of-mutants')) {
    await buildDeclarations(() => textOf('wire-types'), `${TOOLS}/types`, OUT)
    rmSync(`${TOOLS}/types`, { recursive: true, force: true })
  }
  writeNotices(SBOM, CONSOLE_SBOM, `${OUT}/THIRD-PARTY-NOTICES.txt`)
  replaceFiles(OUT, 'dist')
  rmSync(OUT, { recursive: true })
  replaceFiles(TOOLS, '.build')
} finally {
  // Other bundles are still being written when one fails.
  rmSync(TOOLS, { recursive: true, force: true, maxRetries: 10 })
}
