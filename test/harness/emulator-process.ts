import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { StartOptions } from 'mockademy'

const dist = fileURLToPath(new URL('../../dist/index.js', import.meta.url))

/** An emulator in a process of its own, so that it can be killed at any moment. */
export async function startProcess(options: StartOptions & { onInternalError?: never }) {
  const script = `import(${JSON.stringify(dist)}).then(async ({ startEmulator }) => {
    const { url } = await startEmulator(${JSON.stringify(options)})
    console.log(url)
  })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    url,
    pid: child.pid as number,
    async kill() {
      const died = once(child, 'exit')
      child.kill('SIGKILL')
      await died
    },
  }
}
