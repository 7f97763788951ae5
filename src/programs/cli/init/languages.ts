import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { filesOf, type Sources } from './sources.js'

/** A language in which a test of Node cannot start the app. */
export interface Language extends Sources {
  name: string
  /** Files of its package manager or framework. */
  files: readonly string[]
  port: number
  /** Returns the command that starts the app. @param entry the file that `listens` matches, and its text. */
  start(entry: string, port: number, text: string): string
  test(): string
}

/** Returns what begins a command in Python where a package manager has the packages in an environment of its own. */
function pythonRunner(): string {
  if (existsSync('uv.lock')) return 'uv run '
  const project = 'pyproject.toml'
  const isOfPoetry = existsSync(project) && /^\[tool\.poetry\b|\bpoetry-core\b/m.test(readFileSync(project, 'utf8'))
  return isOfPoetry ? 'poetry run ' : ''
}

function startOfPython(entry: string, port: number, text: string): string {
  const module = entry.replace(/(\/__init__)?\.py$/, '').replaceAll('/', '.')
  const [, app] = /^(\w+)[^=\n]*=\s*FastAPI\(/m.exec(text) ?? []
  // Lines of a function begin with a space, or with the bracket that ends its parameters.
  const [, factory] = /^def (\w+)\((?:[^\n]*\n(?![^\s)]))*?.*FastAPI\(/m.exec(text) ?? []
  const isRun = text.includes('.run(')
  if (app && !isRun) return `uvicorn ${module}:${app} --port ${port}`
  if (factory && !isRun) return `uvicorn --factory ${module}:${factory} --port ${port}`
  if (/\bFlask\(/.test(text) && !isRun) return `flask --app ${module} run --port ${port}`
  return `python3 ${entry}${entry.endsWith('manage.py') ? ` runserver ${port}` : ''}`
}

const languages: Language[] = [
  {
    name: 'Python',
    files: ['pyproject.toml', 'requirements.txt', 'Pipfile', 'setup.py', 'manage.py'],
    source: /\.py$/,
    listens: /\.run\(|serve_forever\(|execute_from_command_line\(|\b(?:FastAPI|Flask)\(/,
    port: 8000,
    ports: { flask: 5000 },
    start: (entry, port, text) => pythonRunner() + startOfPython(entry, port, text),
    test: () => `${pythonRunner()}pytest`,
  },
  {
    name: 'Go',
    files: ['go.mod'],
    source: /\.go$/,
    listens: /^package main\b/m,
    serves: /ListenAndServe|\bhttp\.Serve|(?:gin-gonic|labstack|gofiber)[\s\S]*\.(?:Run|Start|Listen)\w*\(/,
    port: 8080,
    start: (entry) => (entry.includes('/') ? `go run ./${entry.slice(0, entry.lastIndexOf('/'))}` : 'go run .'),
    test: () => 'go test ./...',
  },
  {
    name: 'Ruby',
    files: ['Gemfile', 'config.ru'],
    source: /\.rb$|^config\.ru$/,
    // The app of a config.ru, but for Rails, which has a command of its own.
    listens: /sinatra|WEBrick|TCPServer|^Rails\.application\.routes|^\s*run (?!Rails\b)[-A-Z]/m,
    entry: /(?:^|\/)config\.ru$/,
    port: 3000,
    ports: { 'rails.application': 3000, 'config.ru': 9292, sinatra: 4567 },
    start: (entry, port) => {
      if (entry.endsWith('config.ru')) return `bundle exec rackup -p ${port} ${entry}`
      return entry === 'config/routes.rb' ? `bin/rails server -p ${port}` : `ruby ${entry}`
    },
    test: () => {
      if (existsSync('spec') || !existsSync('test')) return 'bundle exec rspec'
      return existsSync('bin/rails') ? 'bin/rails test' : 'bundle exec rake test'
    },
  },
  {
    name: 'PHP',
    files: ['composer.json'],
    source: /\.php$|^composer\.json$/,
    // Slim; Laravel; Symfony.
    listens: /REQUEST_URI|\$app->run\(|handleRequest\(|\$kernel->handle\(|autoload_runtime\.php/,
    entry: /(?:^|\/)index\.php$/,
    port: 8000,
    start: (entry, port) => {
      // PHP's server handles one request at a time without workers, which it does not have on Windows.
      const workers = process.platform === 'win32' ? '' : 'env PHP_CLI_SERVER_WORKERS=8 '
      return `${workers}php -S localhost:${port} ${entry.includes('/') ? `-t ${dirname(entry)} ` : ''}${entry}`
    },
    test: () => 'vendor/bin/phpunit',
  },
]

/** Returns the language of a project that is not Node's, by its files. */
export const languageOfFiles = (): Language | undefined =>
  languages.find(({ files }) => files.some((file) => existsSync(file))) ??
  languages.find(({ source }) => filesOf(source).length > 0)

/** Files with the name of a package, and the line that has it: in Go without the domain before and the version behind. */
const NAMED_IN = ['pyproject.toml', 'setup.py', 'go.mod', 'composer.json']
const NAME = /^\s*"?(?:name|module)"?\s*[=:]?\s*["']?(?:[^\s"'/]+\/)*?([^\s"'/,]+)(?:\/v\d+)?["']?,?\s*$/m

/** Returns the name of a package that is not Node's, if a file has it. */
export const packageNameOfFiles = (): string | undefined =>
  NAMED_IN.filter((file) => existsSync(file))
    .map((file) => NAME.exec(readFileSync(file, 'utf8'))?.[1])
    .find((name) => name !== undefined)
