import { spawn } from 'node:child_process'

/** What opens an address in the browser that its user has chosen, by platform. */
const openers: Partial<Record<NodeJS.Platform, (url: string) => [string, string[]]>> = {
  darwin: (url) => ['open', [url]],
  // Without an empty title, `start` takes the address for one.
  win32: (url) => ['cmd', ['/c', 'start', '""', url.replaceAll('&', '^&')]],
}

/** Opens an address. @returns whether there was something to open it with. */
export const openInBrowser = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [command, operands] = openers[process.platform]?.(url) ?? ['xdg-open', [url]]
    const child = spawn(command, operands, { stdio: 'ignore', detached: true, windowsVerbatimArguments: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
