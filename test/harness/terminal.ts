import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { cleanEnvironment, ROOT } from './command-line.js'

/** `mockademy …` in a terminal of its own. */
export interface Terminal {
  /**
   * Resolves when it shows all of these, after what was matched before. Lines of several sources, such as those of the
   * app and of the journal, come in any order: they are to be waited for together. @returns the match of the first one.
   */
  shows(what: RegExp, ...others: RegExp[]): Promise<RegExpExecArray>
  press(keys: string): void
  /** Resolves with the exit status. */
  ended(): Promise<number>
  /** Everything that it has shown. */
  text(): string
  kill(): void
}

/**
 * A terminal that `script` of util-linux makes; other systems have another `script`.
 * @param ending of the command line, such as a redirection of its output, or `&` and what follows.
 */
export function openTerminal(folder: string, args: string[], env: Record<string, string> = {}, ending = ''): Terminal {
  const words = [process.execPath, join(ROOT, 'bin/mockademy.js'), ...args].map((word) => `'${word}'`).join(' ')
  // With jobs, as the shell of a person.
  const command = `set -m; stty cols 200 rows 40; ${words} ${ending}; echo "status $?"`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { ...cleanEnvironment(folder), ...env },
  })
  let text = ''
  let from = 0
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const closed = once(child, 'close')
  return {
    async shows(...all) {
      for (const each of all) await expect.poll(() => text.slice(from), { interval: 20 }).toMatch(each)
      const matches = all.map((each) => each.exec(text.slice(from)) as RegExpExecArray)
      from += Math.max(...matches.map(({ index, 0: { length } }) => index + length))
      return matches[0] as RegExpExecArray
    },
    press: (keys) => void child.stdin.write(keys),
    async ended() {
      await closed
      return Number(/status (\d+)\s*$/.exec(text)?.[1])
    },
    text: () => text,
    kill: () => void child.kill('SIGKILL'),
  }
}

/** True while a process runs; false also of one that has ended and that its parent has not waited for yet. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z]/.test(stdout)
}
