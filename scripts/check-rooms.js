// The direction of imports in src, types included. `npm run lint:rooms` proves it; that files form no cycle, Biome
// proves (`noImportCycles`).
//   node scripts/check-rooms.js [folder]     src when left out
// Exit status: 0 every import leads down and no folders form a cycle; 1 otherwise, with a line for each.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'

/** The wings from top to bottom, and the rooms of each: a room imports only rooms that come after it. */
const wings = {
  programs: ['cli', 'mcp', 'console', 'sweep', 'audit', 'real-platform', 'generator', 'reports'],
  control: [
    ...['start', 'traces', 'scenarios', 'client', 'run-report', 'admin', 'coverage', 'sandboxes', 'fixtures'],
    'findings',
  ],
  platform: [
    ...['api', 'web-app', 'oauth', 'apps', 'activities', 'webhooks', 'elements', 'members', 'modules', 'courses'],
    ...['organizations', 'authentication'],
  ],
  emulator: ['faults', 'liberties', 'journal', 'serving', 'world'],
  foundation: ['http-client', 'http', 'store', 'schema', 'tls', 'time'],
}

/** The only files at the top. What they export is the package, so no room imports them. */
const entryPoints = ['index.ts', 'playwright.ts', 'vitest.ts']

/** Rooms that take only types from others, but for the files named here: the console is bundled for the browser. */
const typesOnly = {
  'programs/console': [
    ...['control/client/event-parser.ts', 'control/client/call-path.ts', 'control/admin/schema-fields.ts'],
    ...[
      'control/start/environment-variables.ts',
      'emulator/faults/effect-names.ts',
      'emulator/serving/injected-refusal.ts',
      'emulator/world/shell-quoted.ts',
      'programs/reports/capitalized.ts',
      'programs/reports/pluralize.ts',
      'programs/reports/percent.ts',
      'programs/sweep/report.ts',
    ],
  ],
}

const rooms = Object.entries(wings).flatMap(([wing, names]) => names.map((name) => `${wing}/${name}`))
const depths = new Map(rooms.map((room, depth) => [room, depth]))

/** Static imports and re-exports begin a line, as Biome formats them. */
const statement = /^(import|export)\b(\s+type\b)?[^'"`;]*?(?:\bfrom\s+|(?<=^import)\s+)(['"])([^'"\n]+)\3/gm
/** `import('…')`, of a module or of a type; not in a comment line. */
const expression = /^(?!\s*(?:\*|\/[/*])).*?\bimport\(\s*(['"])([^'"\n]+)\1/gm

/** The imports of a file from src: target, line, and whether only types are imported. A bare `mockademy` is the entry point. */
function importsOf(file, text) {
  const found = [
    ...Array.from(text.matchAll(statement), ({ index, 2: type, 4: path }) => ({ index, path, type: Boolean(type) })),
    ...Array.from(text.matchAll(expression), ({ index, 2: path }) => ({ index, path, type: false })),
  ]
  return found
    .filter(({ path }) => path.startsWith('.') || path === 'mockademy')
    .map(({ index, path, type }) => ({
      line: text.slice(0, index).split('\n').length,
      path,
      type,
      target: path === 'mockademy' ? 'index.ts' : posix.join(posix.dirname(file), path).replace(/\.js$/, '.ts'),
    }))
    .filter(({ target }) => !target.startsWith('../'))
}

/** `platform/oauth` of `platform/oauth/pkce.ts`; undefined for an entry point. */
const roomOf = (file) => (file.includes('/') ? file.split('/').slice(0, 2).join('/') : undefined)

/** Describes why a room may not import `target`, and the way out; undefined when it may. */
function problemOf(room, { target, type }) {
  const other = roomOf(target)
  if (other === undefined) return `${room} is below the entry point ${target}: import from the room that has it.`
  if (other === room || !depths.has(other)) return undefined
  if (depths.get(other) < depths.get(room)) {
    return (
      `${room} is below ${other}, and imports lead down only. Move what both need into ${room} or below it, or let ` +
      `${other} pass it in: as an argument, as a part of the world (src/emulator/world/parts.ts), or by a listener.`
    )
  }
  if (typesOnly[room] && !type && !typesOnly[room].includes(target)) {
    return `${room} may import only types from ${other}: use \`import type\`, or ask for the value by a control call.`
  }
  return undefined
}

/** Finds a cycle of folders, as `[a, b, a]`. @param edges from a folder to those that its files import, with an example. */
function cycleOf(edges) {
  const done = new Set()
  const visit = (folder, way) => {
    if (way.includes(folder)) return [...way.slice(way.indexOf(folder)), folder]
    if (done.has(folder)) return undefined
    for (const next of edges.get(folder)?.keys() ?? []) {
      const cycle = visit(next, [...way, folder])
      if (cycle) return cycle
    }
    done.add(folder)
    return undefined
  }
  for (const folder of edges.keys()) {
    const cycle = visit(folder, [])
    if (cycle) return cycle
  }
  return undefined
}

/** Folders and files that have no place in the table. */
function strangersIn(folder) {
  const problems = []
  for (const name of readdirSync(folder)) {
    if (!statSync(join(folder, name)).isDirectory()) {
      if (!entryPoints.includes(name)) problems.push(`${name}: only ${entryPoints.join(', ')} may be at the top.`)
    } else if (!wings[name]) {
      problems.push(`${name}/: is not a wing. The wings are ${Object.keys(wings).join(', ')}.`)
    } else {
      for (const room of readdirSync(join(folder, name))) {
        if (wings[name].includes(room)) continue
        problems.push(`${name}/${room}: is not a known room. Give it a place in scripts/check-rooms.js.`)
      }
    }
  }
  return problems
}

function problemsOf(folder) {
  const problems = strangersIn(folder)
  const edges = new Map()
  const files = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/'))
  for (const file of files.filter((name) => /\.tsx?$/.test(name)).sort()) {
    const room = roomOf(file)
    if (!depths.has(room)) continue
    for (const found of importsOf(file, readFileSync(join(folder, file), 'utf8'))) {
      const where = `${file}:${found.line}: imports ${found.path}`
      const problem = problemOf(room, found)
      if (problem) problems.push(`${where}: ${problem}`)
      const [from, to] = [posix.dirname(file), posix.dirname(found.target)]
      if (from === to || roomOf(found.target) !== room) continue
      if (!edges.has(from)) edges.set(from, new Map())
      edges.get(from).set(to, where)
    }
  }
  const cycle = cycleOf(edges)
  if (cycle) {
    const ways = cycle.slice(1).map((to, index) => `  ${edges.get(cycle[index]).get(to)}`)
    problems.push(`${cycle.join(' → ')}: is a cycle of folders. Turn one of these around:\n${ways.join('\n')}`)
  }
  return problems
}

const problems = problemsOf(resolve(process.argv[2] ?? join(import.meta.dirname, '../src')))
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
