import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn, type Sources } from './sources.js'

/** A language in which a test of Node cannot start the app. */
export interface Language extends Required<Sources> {
  name: string
  /** Files of its package manager or framework. */
  files: readonly string[]
  /** Returns the command that starts the app. @param entry the file that `listens` matches. */
  start(entry: string, port: number): string
  /** The command that runs its tests, by the usual runner. */
  test: string
}

const languages: Language[] = [
  {
    name: 'Python',
    files: ['pyproject.toml', 'requirements.txt', 'Pipfile', 'setup.py', 'manage.py'],
    source: /\.py$/,
    listens: /\.run\(|serve_forever\(|execute_from_command_line\(/,
    port: 8000,
    ports: { flask: 5000 },
    start: (entry, port) => `python3 ${entry}${entry.endsWith('manage.py') ? ` runserver ${port}` : ''}`,
    test: 'pytest',
  },
  {
    name: 'Go',
    files: ['go.mod'],
    source: /\.go$/,
    listens: /^package main\b/m,
    port: 8080,
    ports: {},
    start: (entry) => (entry.includes('/') ? `go run ./${entry.slice(0, entry.lastIndexOf('/'))}` : 'go run .'),
    test: 'go test ./...',
  },
  {
    name: 'Ruby',
    files: ['Gemfile', 'config.ru'],
    source: /\.rb$/,
    listens: /sinatra|WEBrick|TCPServer/,
    port: 3000,
    ports: { sinatra: 4567 },
    start: (entry) => `ruby ${entry}`,
    test: 'bundle exec rspec',
  },
  {
    name: 'PHP',
    files: ['composer.json'],
    source: /\.php$/,
    listens: /REQUEST_URI|->run\(|handleRequest\(/,
    port: 8000,
    ports: {},
    start: (entry, port) => `php -S localhost:${port} ${entry}`,
    test: 'vendor/bin/phpunit',
  },
]

/** Returns the language of a folder that is not Node's, by its files. */
export const languageOf = (folder: string): Language | undefined =>
  languages.find(({ files }) => files.some((file) => existsSync(join(folder, file)))) ??
  languages.find(({ source }) => filesIn(folder, source).length > 0)
