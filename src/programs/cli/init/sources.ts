import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Start command of an app, for a test. */
export interface AppStart {
  /** Arguments of `node`. */
  command: string[]
  port: number
  /** The variable PORT changes the port. */
  readsPort: boolean
}

const SKIPPED = /^(\..*|node_modules|vendor|venv|dist|build|out|coverage|tests?|__tests__|spec|e2e|mockademy)$/
const MOST_FILES = 300
const LARGEST = 200_000

/** A path in the text of a program, or in that of a framework whose files are routes. */
const patterns = {
  webhook: [
    // Go has the method before the path, and Django's paths begin without a slash.
    /(?:['"`](?:[A-Z]+ )?(?=\/)|\bpath\(\s*['"])([\w/-]*webhooks?(?:\/[\w-]+)*\/?)['"`]/i,
    // Next.js and SvelteKit group routes by folders in parentheses.
    /(?:^|\/)(?:app|pages|routes)(?:\/\([^/]+\))*(\/[\w/-]*webhooks?(?:\/[\w-]+(?=\/(?:route|\+server)\.))?)(?:\/(?:route|\+server))?\.\w+$/i,
  ],
  callback: [
    /(?:['"`](?:[A-Z]+ )?(?=\/)|\bpath\(\s*['"])([\w/-]*callback\/?)['"`]/i,
    /(?:^|\/)(?:app|pages|routes)(?:\/\([^/]+\))*(\/[\w/-]*callback)(?:\/(?:route|\+server))?\.\w+$/i,
  ],
} as const
const PORT = /(?:PORT\b[^\n;]*?(?:\|\||\?\?)\s*|\.listen\(\s*)['"]?(\d{2,5})\b/
/** `port = 5000`, `"PORT", 5000`, `":5000"` and `HTTPServer(("", 5000)`, but for ports of the emulator and of databases. */
const OTHER_PORT =
  /(?:port['"]?\)?\s*(?:=>|[=:,{])\s*['"]?|['"][\w.]*:|Server\(\(['"][\w.]*['"],\s*)(?!(?:4600|3306|5432|6379|27017)\b)(\d{4,5})\b/i
const READS_PORT = /\benv(?:\.PORT\b|\[['"]PORT['"]\])/

/** Source files of a language, and how they start an app. */
export interface Sources {
  /** Matches the name of a file. */
  source: RegExp
  /** Matches the text of a file that starts the app. */
  listens: RegExp
  /** Usual port, and those of frameworks by the name that a source file contains. */
  port?: number
  ports?: Record<string, number>
}

const nodeSources: Sources = { source: /\.[cm]?[jt]sx?$/, listens: /\.listen\(/ }

/** Reads the source files of a project for the addresses of its app. A part that is not found is undefined. */
export function findApp(folder: string, sources = nodeSources) {
  const { source, listens, ports = {} } = sources
  const files = filesIn(folder, source).map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  const first = (pattern: RegExp, part: 'path' | 'text') =>
    files.map((file) => pattern.exec(file[part])?.[1]).find((found) => found !== undefined)
  const route = ([inText, inPath]: readonly [RegExp, RegExp]) => {
    const path = first(inText, 'text') ?? first(inPath, 'path')
    return path?.replace(/^(?!\/)/, '/')
  }
  const named = Object.entries(ports).find(([name]) => files.some(({ text }) => text.toLowerCase().includes(name)))
  const inNode = sources === nodeSources ? first(PORT, 'text') : undefined
  const port = inNode ?? first(OTHER_PORT, 'text') ?? named?.[1] ?? sources.port
  return {
    /** Path of the route that receives webhooks. */
    webhook: route(patterns.webhook),
    /** Path of the route to which a sign-in returns. */
    callback: route(patterns.callback),
    port: port === undefined ? undefined : Number(port),
    /** The variable PORT changes the port. */
    readsPort: files.some(({ text }) => READS_PORT.test(text)),
    /** File that starts to listen. */
    entry: files.find(({ text }) => listens.test(text))?.path,
  }
}

/** Arguments of `node` that do what a program of a start script does. */
const programs: Record<string, string[]> = { node: [], nodemon: [], tsx: ['--import', 'tsx'] }
/** Words that restart the app when a file changes, which a test does not want. */
const WATCHING = /^(watch|--watch\S*)$/

/** Returns the arguments of `node` for a start script that runs one file; undefined for any other. */
export function argumentsOfNode(folder: string, script: unknown): string[] | undefined {
  const [program = '', ...words] = String(script ?? '').split(/\s+/)
  const file = words.at(-1)
  const isPlain = words.every((word) => /^[\w./=@-]+$/.test(word))
  const before = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (!before || file === undefined || !isPlain || !existsSync(join(folder, file))) return undefined
  // Node 20 runs no TypeScript itself.
  if (program !== 'tsx' && /\.[cm]?tsx?$/.test(file)) return undefined
  return [...before, ...words.filter((word) => !WATCHING.test(word))]
}

/** Returns the paths of the source files of a project, those of its upper folders first. */
export function filesIn(folder: string, source: RegExp): string[] {
  const found: string[] = []
  const open = ['']
  for (let path = open.shift(); path !== undefined && found.length < MOST_FILES; path = open.shift()) {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const own = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) open.push(own)
      if (entry.isFile() && source.test(entry.name) && statSync(join(folder, own)).size <= LARGEST) found.push(own)
    }
  }
  return found
}
