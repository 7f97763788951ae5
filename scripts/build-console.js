// Bundles src/programs/console: files named by a hash of their contents, and the page that names them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { minifySync as minifyBySwc } from '@swc/core'
import { build, transformSync } from 'esbuild'
import { transform as minifyCss } from 'lightningcss'
import { minifySync } from 'rolldown/utils'
import { billOfMaterials } from './bill-of-materials.js'

/** All files together, gzipped. console: Serving, parts */
const SIZE_LIMIT = 45 * 1024

/** @returns the exports of a source file that imports nothing. */
const exportsOf = (file) =>
  import(`data:text/javascript,${encodeURIComponent(transformSync(readFileSync(file, 'utf8'), { loader: 'ts' }).code)}`)

/** @returns the name of the file that was made of the entry. */
async function bundle(entry, outdir, options = {}) {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    target: 'es2022',
    outdir,
    entryNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'warning',
    legalComments: 'none',
    charset: 'utf8',
    ...options,
  })
  const name = basename(Object.keys(metafile.outputs)[0])
  const file = join(outdir, name)
  const written = readFileSync(file)
  // Other minifiers take another 3 %: each does what the others do not.
  const { code } = name.endsWith('.js')
    ? minifySync(name, minifyBySwc(written.toString(), { module: true, compress: { passes: 3 }, mangle: true }).code, {
        module: true,
      })
    : minifyCss({ filename: name, code: written, minify: true })
  writeFileSync(file, code)
  return name
}

/**
 * @param out the folder to make.
 * @param sbom the file to write the bill of materials of its script to.
 * @param callTable the control calls: `call-table.ts` in `src/control/admin`.
 */
export async function buildConsole(out, sbom, callTable) {
  mkdirSync(out)

  // The pages of the web app and the console have one palette.
  const { PALETTE } = await exportsOf('src/platform/web-app/palette.ts')
  // Of the rules, the console has the checks that provoke each: findings themselves have the rest.
  const { rules } = await exportsOf('src/control/findings/rules.ts')
  const checks = Object.fromEntries(
    Object.entries(rules).flatMap(([name, { check }]) => (check ? [[name, check]] : [])),
  )

  // As text, `GET ~/apps` or `POST ~/reset loses`: the bundle is smaller than with an object or the whole path for each.
  const calls = Object.fromEntries(
    Object.entries(callTable).map(([name, { method, path, loses }]) => [
      name,
      `${method} ${path.replace('/_admin', '~')}${loses ? ' loses' : ''}`,
    ]),
  )

  const worker = await bundle('src/programs/console/api/stream-worker.ts', out, { format: 'esm' })
  const script = await bundle('src/programs/console/main.tsx', out, {
    format: 'esm',
    plugins: [billOfMaterials(sbom)],
    // Smaller than with `preact/jsx-runtime`, as tsconfig.json has it.
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: [fileURLToPath(import.meta.resolve('preact'))],
    tsconfigRaw: {},
    define: {
      'window.__PREACT_SIGNALS_DEVTOOLS__': 'false',
      STREAM_WORKER: JSON.stringify(worker),
      CALLS: JSON.stringify(calls),
      CHECKS: JSON.stringify(checks),
    },
  })
  const stylesheet = await bundle('src/programs/console/console.css', out, {
    banner: { css: transformSync(PALETTE, { loader: 'css', minify: true }).code },
  })
  const page = readFileSync('src/programs/console/page.html', 'utf8')
    .replace('{{script}}', script)
    .replace('{{stylesheet}}', stylesheet)
  writeFileSync(`${out}/index.html`, page)

  const sizes = [worker, script, stylesheet, 'index.html'].map((name) => [
    name,
    gzipSync(readFileSync(`${out}/${name}`), { level: 9 }).length,
  ])
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`
  process.stdout.write(
    `console: ${kilobytes(total)} gzipped of ${kilobytes(SIZE_LIMIT)} (${sizes.map(([name, size]) => `${name} ${kilobytes(size)}`).join(', ')})\n`,
  )
  // Mutants are code that is never shipped.
  if (total > SIZE_LIMIT && !process.argv.includes('--of-mutants')) {
    process.stderr.write('console: too large\n')
    process.exitCode = 1
  }
}
