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

/** An app as its source shows it. A part that was not found is undefined. */
export interface FoundApp {
  /** Path of the route that receives webhooks. */
  webhook: string | undefined
  /** Path of the route to which a sign-in returns. */
  callback: string | undefined
  port: number | undefined
  readsPort: boolean
  /** File that calls `listen`. */
  entry: string | undefined
}

const SKIPPED = /^(\..*|node_modules|dist|build|out|coverage|tests?|__tests__|spec|e2e|mockademy)$/
const SOURCE = /\.[cm]?[jt]sx?$/
const MOST_FILES = 300
const LARGEST = 200_000

/** A path in the text of a program, or in that of a framework whose files are routes. */
const patterns = {
  webhook: [
    /['"`](\/[\w/-]*webhooks?)['"`]/i,
    /(?:^|\/)(?:app|pages|routes)(\/[\w/-]*webhooks?)(?:\/(?:route|\+server))?\.\w+$/i,
  ],
  callback: [
    /['"`](\/[\w/-]*callback)['"`]/i,
    /(?:^|\/)(?:app|pages|routes)(\/[\w/-]*callback)(?:\/(?:route|\+server))?\.\w+$/i,
  ],
} as const
const PORT = /(?:PORT\b[^\n;]*?(?:\|\||\?\?)\s*|\.listen\(\s*)['"]?(\d{2,5})\b/
const LISTENS = /\.listen\(/
const READS_PORT = /\benv(?:\.PORT\b|\[['"]PORT['"]\])/

/** Reads the source files of a project for the addresses of its app. */
export function findApp(folder: string): FoundApp {
  const files = filesIn(folder).map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  const first = (pattern: RegExp, part: 'path' | 'text') =>
    files.map((file) => pattern.exec(file[part])?.[1]).find((found) => found !== undefined)
  const route = ([inText, inPath]: readonly [RegExp, RegExp]) => first(inText, 'text') ?? first(inPath, 'path')
  const port = first(PORT, 'text')
  return {
    webhook: route(patterns.webhook),
    callback: route(patterns.callback),
    port: port === undefined ? undefined : Number(port),
    readsPort: files.some(({ text }) => READS_PORT.test(text)),
    entry: files.find(({ text }) => LISTENS.test(text))?.path,
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

function filesIn(folder: string): string[] {
  const found: string[] = []
  const open = ['']
  for (let path = open.shift(); path !== undefined && found.length < MOST_FILES; path = open.shift()) {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const own = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) open.push(own)
      if (entry.isFile() && SOURCE.test(entry.name) && statSync(join(folder, own)).size <= LARGEST) found.push(own)
    }
  }
  return found
}
