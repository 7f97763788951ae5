import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'
import { freePort } from '../harness/free-port.js'
import type { Block } from './pages.js'

/** Stands between the outputs of two blocks. */
const SEPARATOR = '\u001e'

/** The ports that pages name, each of which becomes a free one: they may belong to somebody. */
const PORTS = ['4600', '4700', '3000']

/** Stands in for `npx`. Without --fixtures, it starts the default world at this run's ports. */
const NPX = `#!/bin/sh
[ "$1" = mockademy ] || exit 64
shift
case "$1 $*" in
  start*--fixtures*|start*--help*) ;;
  start*) set -- "$@" --fixtures "$WORLD" ;;
esac
case "$1 $*" in
  start*--port*) ;;
  start*) set -- "$@" --port "$EMULATOR_PORT" ;;
esac
[ "$1" != start ] || exec >"$WORLD.log"
exec "${process.execPath}" "${ROOT}/bin/mockademy.js" "$@"
`

/** A refused request fails the page, unless its command shows what was refused. Each response ends its line. */
const CURL = `#!/bin/sh
PATH=$USUAL_PATH
for argument; do
  case "$argument" in
    -w) exec curl "$@" ;;
    -i|--include) exec curl -w '\\n' "$@" ;;
  esac
done
exec curl --fail-with-body -w '\\n' "$@"
`

/**
 * Runs the shell blocks of a page in one shell, in their order, in a folder of their own, as if they were pasted.
 * @param signal ends it, with everything that it has started
 * @returns its status, its errors, and what each block has printed.
 */
export async function runPage(
  blocks: Block[],
  folder: string,
  signal: AbortSignal,
): Promise<{ status: number; stderr: string; outputs: string[] }> {
  const first = await freePort(PORTS.length)
  const free = PORTS.map((_, index) => first + index)
  const each = <T>(value: T, change: (value: T, port: string, to: string) => T) =>
    PORTS.reduce((text, port, index) => change(text, port, String(free[index])), value)
  const toFree = (text: string) => each(text, (all, port, to) => all.replace(new RegExp(`\\b${port}\\b`, 'g'), to))
  /** At the usual port a command needs no address. */
  const toNamed = (text: string) =>
    each(text, (all, port, to) => all.replaceAll(to, port)).replaceAll(
      'mockademy --url http://127.0.0.1:4600 ',
      'mockademy ',
    )

  const bin = join(folder, 'bin')
  await mkdir(bin)
  for (const [name, script] of [
    ['npx', NPX],
    ['curl', CURL],
  ] as const) {
    await writeFile(join(bin, name), script)
    await chmod(join(bin, name), 0o755)
  }
  const project = join(folder, 'project')
  await mkdir(project)
  for (const name of ['test', 'fixtures', 'docs', 'node_modules']) await symlink(join(ROOT, name), join(project, name))
  const world = join(folder, 'world.json')
  await writeFile(world, toFree(await readFile(join(ROOT, 'fixtures', 'default.json'), 'utf8')))

  const clean = cleanEnvironment(folder)
  const script = blocks.map(({ code }, index) => `${toFree(code)}\nprintf '\\n${SEPARATOR}${index}\\n'`).join('\n')
  const bash = spawn(
    'bash',
    ['-euo', 'pipefail', '-c', `trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n${script}`],
    {
      cwd: project,
      detached: true,
      env: {
        ...clean,
        PATH: `${bin}:${clean.PATH}`,
        USUAL_PATH: clean.PATH,
        WORLD: world,
        EMULATOR_PORT: String(free[0]),
        PORT: String(free[2]),
        MOCKADEMY_URL: `http://127.0.0.1:${free[0]}`,
      },
    },
  )
  signal.addEventListener('abort', () => process.kill(-(bash.pid as number), 'SIGKILL'), { once: true })
  let stdout = ''
  let stderr = ''
  bash.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  bash.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [status] = await once(bash, 'close')
  return { status, stderr, outputs: toNamed(stdout).split(new RegExp(`\\n${SEPARATOR}\\d+\\n`)) }
}

/** The first line of `expected` that `output` does not have, in order; undefined when it has all. `…` is any text. */
export function missingFrom(output: string, expected: string): string | undefined {
  const lines = output.split('\n')
  let at = 0
  for (const line of expected.split('\n').filter((line) => line.trim() !== '')) {
    const parts = line
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const found = lines.findIndex((each, index) => index >= at && new RegExp(`^${parts.join('.*')}$`).test(each.trim()))
    if (found < 0) return line
    at = found + 1
  }
  return undefined
}
