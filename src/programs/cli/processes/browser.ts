import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { failure } from '../command/command.js'

const openers: Partial<Record<NodeJS.Platform, (url: string) => [string, string[]]>> = {
  darwin: (url) => ['open', [url]],
  // Without an empty title, `start` takes the address for one.
  win32: (url) => ['cmd', ['/c', 'start', '""', url.replaceAll('&', '^&')]],
}

/** Opens the console of an emulator. @returns its address. @throws CommandFailure 1 when no browser can be started. */
export async function openConsole(url: string): Promise<string> {
  const address = `${url}/_console`
  const [command, operands] = openers[process.platform]?.(address) ?? ['xdg-open', [address]]
  const child = spawn(command, operands, { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
  await once(child, 'spawn').catch(() => {
    throw failure(`no browser could be started; open ${address} yourself`)
  })
  child.unref()
  return address
}
