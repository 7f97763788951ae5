import { execFile, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmulator } from 'mockademy'
import { expect } from 'vitest'
import { BIN, cleanEnvironment, oneProcessTest as test } from '../harness/command-line.js'

/** Programs that print what a shell completes `$LINE` with. bash and zsh print nothing where they complete file names. */
const shells: Record<string, string> = {
  bash: `mockademy() { "$NODE" "$BIN" "$@"; }
    . './a script'
    COMP_LINE=$LINE COMP_POINT=\${#LINE}; _mockademy mockademy; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `mockademy() { "$NODE" "$BIN" "$@"; }
    compdef() {}
    compadd() { print -l -- $found; }
    _default() {}
    . './a script'
    words=("\${(@s: :)LINE}") CURRENT=$#words PREFIX=$words[-1]; _mockademy`,
  fish: `function mockademy; $NODE $BIN $argv; end
    . './a script'
    complete -C $LINE`,
}

test.for(Object.entries(shells))(
  '%s completes a line by its place',
  async ([shell, program], { run, folder, skip }) => {
    if (spawnSync(shell, ['--version']).error) skip()
    await using emulator = await startEmulator()
    await writeFile(join(folder, 'a script'), (await run(['completion', shell])).stdout)
    await mkdir(join(folder, 'sweep'))
    const env = { ...cleanEnvironment(folder), NODE: process.execPath, BIN, HOME: folder, MOCKADEMY_URL: emulator.url }
    const completed = async (line: string) => {
      const options = { cwd: folder, env: { ...env, LINE: line } }
      const { stdout } = await promisify(execFile)(shell, ['-c', program], options)
      return [line, stdout.split('\n').filter(Boolean).sort()]
    }
    const files = shell === 'fish' ? ['a script'] : []
    const expected = {
      'mockademy swe': ['sweep'],
      'mockademy --url http://127.0.0.1:1 sta': ['start', 'state', 'status'],
      'mockademy mark "two words" --js': ['--json'],
      'mockademy scenario r': ['record', 'run'],
      'mockademy scenario run --ju': ['--junit'],
      'mockademy install ': expect.arrayContaining(['--announce', 'acme', 'notes']),
      'mockademy env --app ': ['insights', 'notes'],
      'mockademy deliveries list --organization a': ['acme'],
      'mockademy faults add rate': ['rate_limited'],
      'mockademy deliveries redeliver x --forged bad': ['bad_signature'],
      'mockademy sweep --flow e': ['events'],
      'mockademy start --fixtures a': files,
      'mockademy exec -- npm install a': files,
    }
    expect(Object.fromEntries(await Promise.all(Object.keys(expected).map(completed)))).toEqual(expected)
  },
)

test('bash and zsh complete file names where completion has no words, and zsh loads what it needs', async ({ run }) => {
  expect((await run(['completion'])).stdout).toMatch(/^complete -o default -F _mockademy mockademy$/m)
  expect((await run(['completion', 'zsh'])).stdout).toMatch(/autoload -U compinit && compinit/)
})
