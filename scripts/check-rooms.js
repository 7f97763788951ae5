// The direction of the rooms of src: which room may import which. `npm run lint:rooms` proves it, types included;
// that files form no cycle, Biome proves (`noImportCycles`).
//   node scripts/check-rooms.js [folder]     src when left out
// Exit status: 0 every import leads down; 1 some do not, each with a line.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'

/** From what people touch down to the ground. Rooms of one floor may import each other, in one direction. */
const floors = [
  ['cli'],
  ['audit', 'console', 'generator', 'mcp', 'real-platform'],
  ['start'],
  ['scenarios'],
  ['client'],
  ['admin'],
  ['fixtures'],
  ['findings'],
  ['api', 'web-app'],
  ['oauth'],
  ['apps'],
  ['activities', 'webhooks'],
  ['elements', 'members'],
  ['courses', 'modules'],
  ['organizations'],
  ['authentication'],
  ['faults', 'journal'],
  ['http'],
  ['world'],
  ['reports', 'schema', 'store', 'tls'],
]

/** The only files at the top. What they export is the package, so no room imports them. */
const entryPoints = ['index.ts', 'vitest.ts']

/** Rooms that take only types from others, but for the files named here: the console is bundled for the browser. */
const typesOnly = { console: ['client/event-parser.ts', 'findings/audit-checks.ts'] }

const depths = new Map(floors.flatMap((rooms, depth) => rooms.map((room) => [room, depth])))

/** Static imports and re-exports begin a line, as Biome formats them. */
const statement = /^(import|export)\b(\s+type\b)?[^'"`;]*?(?:\bfrom\s+|(?<=^import)\s+)(['"])([^'"\n]+)\3/gm
/** `import('…')`, of a module or of a type; not in a comment line. */
const expression = /^(?!\s*(?:\*|\/[/*])).*?\bimport\(\s*(['"])([^'"\n]+)\1/gm

/** What a file imports from src: where, and whether types alone. A bare `mockademy` is the entry point. */
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

const roomOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined)

/** What is wrong with an import of `target` by `room`, and the way out; undefined when nothing is. */
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

/** The first cycle of rooms there is, as `[a, b, a]`. Between floors there is none unless an import leads up. */
function cycleOf(edges) {
  const done = new Set()
  const visit = (room, way) => {
    if (way.includes(room)) return [...way.slice(way.indexOf(room)), room]
    if (done.has(room)) return undefined
    for (const next of edges.get(room)?.keys() ?? []) {
      const cycle = visit(next, [...way, room])
      if (cycle) return cycle
    }
    done.add(room)
    return undefined
  }
  for (const room of edges.keys()) {
    const cycle = visit(room, [])
    if (cycle) return cycle
  }
  return undefined
}

function problemsOf(folder) {
  const problems = []
  for (const name of readdirSync(folder)) {
    const isRoom = statSync(join(folder, name)).isDirectory()
    if (isRoom && !depths.has(name)) {
      problems.push(`${name}/: is not a known room. Give it a floor in scripts/check-rooms.js.`)
    } else if (!isRoom && !entryPoints.includes(name)) {
      problems.push(`${name}: is in no room. Only ${entryPoints.join(', ')} may be at the top.`)
    }
  }
  const edges = new Map()
  const files = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/'))
  for (const file of files.filter((name) => /\.tsx?$/.test(name)).sort()) {
    const room = roomOf(file)
    if (!depths.has(room)) continue
    for (const found of importsOf(file, readFileSync(join(folder, file), 'utf8'))) {
      const where = `${file}:${found.line}: imports ${found.path}`
      const problem = problemOf(room, found)
      if (problem) problems.push(`${where}: ${problem}`)
      const other = roomOf(found.target)
      if (other === room || depths.get(other) !== depths.get(room)) continue
      if (!edges.has(room)) edges.set(room, new Map())
      edges.get(room).set(other, where)
    }
  }
  const cycle = cycleOf(edges)
  if (cycle) {
    const ways = cycle.slice(1).map((room, index) => `  ${edges.get(cycle[index]).get(room)}`)
    problems.push(`${cycle.join(' → ')}: is a cycle of rooms. Turn one of these around:\n${ways.join('\n')}`)
  }
  return problems
}

const problems = problemsOf(resolve(process.argv[2] ?? join(import.meta.dirname, '../src')))
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
