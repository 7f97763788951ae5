import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, posix } from 'node:path'

export interface AppStart {
  command: string[]
  port: number
  /** The variable PORT changes the port. */
  readsPort: boolean
}

const SKIPPED = /^(\..*|node_modules|vendor|venv|dist|build|out|coverage|tests?|__tests__|spec|e2e)$/
const MAX_FILES = 300
const LARGEST = 200_000

/** Patterns of a route whose path has a word: in the text of a program, and in the path of a file that is a route. */
const routeOf = (word: string) => ({
  // Go has the method before the path; paths of Django and React Router begin without a slash, and those of Rails may.
  text: new RegExp(
    String.raw`(?<!prefix['"]?\s*[=:(]\s*)(?:['"\`](?:[A-Z]+ )?(?=/)|\b(?:(?:path|route)\(\s*|post |get |match )['"])([\w/-]*${word}(?:/[\w-]+)*(?:\.php|/)?)['"\`]`,
    'i',
  ),
  // Next.js and SvelteKit group routes by folders in parentheses.
  path: new RegExp(
    String.raw`(?:^|/)(?:app(?=/.*/route\.)|routes(?=/.*/\+server\.)|(?:app|server)/routes|pages|server(?=/api/))(?:/\([^/]+\))*` +
      String.raw`(/[\w/-]*${word}(?:/[\w-]+)??)(?:/(?:route|\+server))?(?:\.(?:get|post))?\.\w+$`,
    'i',
  ),
})
/** The header that a webhook is signed with, also as a variable of CGI. */
const SIGNATURE = /platform[-_]signature/i
/** `post('/path'`, Go's `"POST /path`, and `route("/path", methods=["POST"]` of Flask and Symfony. Without quotes, it is words of a comment. */
const POST_ROUTE = /(?:\bpost[(\s]\s*['"`]|['"`]POST |\broute\(\s*['"](?=[^\n]*\bmethods\s*[=:]\W*POST\b))(\/[\w/-]+)/gi
const PORT = /(?:\b(?:APP_|HTTP_|SERVER_)?PORT\b[^\n;]*?(?:\|\||\?\?|\bdefault[(:])\s*|\.listen\(\s*)['"]?(\d{2,5})\b/
/** `-p 3005`, `--port=3005` and `PORT=3005` in a script. */
const SCRIPT_PORT = /(?:(?:^|\s)-p|--port|\bPORT)[ =](\d{2,5})\b/
/** `import 'dotenv/config'`, `from dotenv import load_dotenv`, `-r dotenv/config` in a script, and the module of NestJS. */
const DOTENV = /(?:\b(?:from|import|require)|\s-r)\W+dotenv\b|\bConfigModule\.forRoot\(/
const ENV_FILE = /--env-file(?:-if-exists)?[= ]['"]?([^\s'"]+)/g
const ENV_PORT = /^\s*(?:export\s+)?PORT\s*=\s*['"]?(\d{2,5})\b/m
/** `port = 5000`, `"PORT", 5000`, `":5000"`, `Server(("", 5000)`, `php -S host:5000`: no ports of the emulator or databases. */
const OTHER_PORT =
  /(?:port['"]?\)?\s*(?:=>|[=:,{])\s*['"]?|['"][\w.]*:|Server\(\(['"][\w.]*['"],\s*|php -S [^\s:]*:)(?!(?:4600|3306|5432|6379|27017)\b)(\d{4,5})\b/i
const READS_PORT = /\benv(?:\.PORT\b|\[['"]PORT['"]\])/

export interface Sources {
  source: RegExp
  /** Matches the text of a file that starts the app. */
  listens: RegExp
  /** Matches the path of the one that starts it, when the text of several files could. */
  entry?: RegExp
  /** Matches the text of a file that listens, where `listens` matches programs of all kinds, each in a folder of its own. */
  serves?: RegExp
  /** Usual port, and those of frameworks by the name that a source file has or contains. */
  port?: number
  ports?: Record<string, number>
}

export const nodeSources: Sources = { source: /\.[cm]?[jt]sx?$/, listens: /\.listen\(/ }

/** Reads the addresses of an app from its source files. @param routesByFiles its framework makes routes of files. */
export function findApp(sources = nodeSources, routesByFiles = false) {
  const { source, listens, entry, serves, ports = {} } = sources
  const textOf = (path: string) => withWholePaths(readFileSync(path, 'utf8'))
  const files = filesOf(source).map((path) => ({ path, text: textOf(path) }))
  const first = (pattern: RegExp, part: 'path' | 'text') =>
    files.map((file) => pattern.exec(file[part])?.[1]).find((found) => found !== undefined)
  // React Router names the paths in one file, whatever the files of its routes are called.
  const hasRouteTable = files.some(({ path, text }) => /^app\/routes\.[jt]s$/.test(path) && /\broute\(/.test(text))
  const route = (word: string) => {
    const { text, path } = routeOf(word)
    const found = (routesByFiles && !hasRouteTable ? first(path, 'path') : undefined) ?? first(text, 'text')
    return found?.replace(/^(?!\/)/, '/')
  }
  const signed = files.filter(({ text }) => SIGNATURE.test(text))
  const posts = new Set(signed.flatMap(({ text }) => [...text.matchAll(POST_ROUTE)].map(([, path]) => path)))
  const named = Object.entries(ports).find(([name]) =>
    files.some(({ path, text }) => path === name || text.toLowerCase().includes(name)),
  )
  const entries = files.filter(({ text }) => listens.test(text))
  const inNode = sources === nodeSources ? first(PORT, 'text') : undefined
  return {
    /** Path of the route that receives webhooks: by its name, or the only one for POST beside their signature. */
    webhook: route('webhooks?') ?? (posts.size === 1 ? [...posts][0] : undefined),
    callback: route('callback'),
    login: route('(?:login|sign-?in)'),
    logout: route('(?:log|sign)-?out'),
    port: inNode ?? first(OTHER_PORT, 'text') ?? named?.[1] ?? sources.port,
    /** The variable PORT changes the port. */
    readsPort: files.some(({ text }) => READS_PORT.test(text)),
    readsDotenv: files.some(({ text }) => DOTENV.test(text)),
    entry: serves ? onlyProgram(entries, files, serves) : (entries.find(({ path }) => entry?.test(path)) ?? entries[0]),
  }
}

/** Returns a file of the only program, or else of the only one that listens, itself or by a package that it imports. */
function onlyProgram<File extends { path: string; text: string }>(programs: File[], files: File[], serves: RegExp) {
  const serving = files.filter(({ text }) => serves.test(text)).map(({ path }) => dirname(path))
  const listening = programs.filter(({ path, text }) =>
    serving.some((folder) => folder === dirname(path) || text.includes(`/${folder}"`)),
  )
  return [programs, listening].find((each) => new Set(each.map(({ path }) => dirname(path))).size === 1)?.[0]
}

/** The decorator of a class in NestJS, whose path may be in an object. */
const CONTROLLER = /@Controller\(\s*(?:\{[^}]*?\bpath:\s*)?(?:['"`]([^'"`]*)['"`])?[^)]*\)/

/** Writes the whole path into each decorator of NestJS, where a method has only what follows the path of its class. */
const withWholePaths = (text: string): string =>
  text
    .split(/(?=@Controller\()/)
    .map((part) => {
      const [decorator, path = ''] = CONTROLLER.exec(part) ?? []
      if (decorator === undefined) return part
      return part
        .replace(decorator, '')
        .replace(/@(Get|Post|All)\(\s*(?:['"`]([^'"`]*)['"`])?/g, (_, method, own = '') => {
          const whole = [path, own].join('/').split('/').filter(Boolean).join('/')
          return `@${method}('/${whole}'`
        })
    })
    .join('')

/** Returns the port that a script names, or else PORT of its `.env` files, or of the one that dotenv reads. */
export function portOfScript(script: string, readsDotenv: boolean): string | undefined {
  const named = [...script.matchAll(ENV_FILE)].map(([, file = '']) => file)
  const files = [...(readsDotenv || DOTENV.test(script) ? ['.env'] : []), ...named]
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'))
  return SCRIPT_PORT.exec(script)?.[1] ?? texts.map((text) => ENV_PORT.exec(text)?.[1]).findLast((port) => port)
}

/** Arguments of `node` that do what a program of a start script does. */
const programs: Record<string, string[]> = { node: [], nodemon: [], tsx: ['--import', 'tsx'] }
/** Words that restart the app when a file changes, which a test does not want. */
const WATCHING = /^(watch|--watch\S*)$/

/** Returns the arguments of `node` for a start script that runs one file; undefined for any other. */
export function argumentsOfNode(script: unknown): string[] | undefined {
  const [program = '', ...words] = String(script ?? '').split(/\s+/)
  const file = words.at(-1)
  const isPlain = words.every((word) => /^[\w./=@-]+$/.test(word))
  const before = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (!before || file === undefined || !isPlain || !existsSync(file)) return undefined
  // Node 20 runs no TypeScript itself.
  if (program !== 'tsx' && /\.[cm]?tsx?$/.test(file)) return undefined
  return [...before, ...words.filter((word) => !WATCHING.test(word))]
}

/** Returns the paths of the source files of a project, those of its upper folders first. */
export function filesOf(source: RegExp): string[] {
  const found: string[] = []
  const open = ['.']
  for (let path = open.shift(); path !== undefined && found.length < MAX_FILES; path = open.shift()) {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const own = posix.join(path, entry.name)
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) open.push(own)
      if (entry.isFile() && source.test(entry.name) && statSync(own).size <= LARGEST) found.push(own)
    }
  }
  return found
}
