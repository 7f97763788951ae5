import { readdirSync, readFileSync } from 'node:fs'

/** The files that the build has put beside this bundle. */
interface ConsoleFiles {
  page: string
  /** By name; the names contain a hash of the contents. */
  assets: Map<string, Buffer>
}

let files: ConsoleFiles | undefined

/** Reads the files when the console or a report first needs them, not at start. console: Serving, parts */
export function consoleFiles(): ConsoleFiles {
  if (files) return files
  const folder = new URL('./console/', import.meta.url)
  const names = readdirSync(folder).filter((name) => name !== 'index.html')
  files = {
    page: readFileSync(new URL('index.html', folder), 'utf8'),
    assets: new Map(names.map((name) => [name, readFileSync(new URL(name, folder))])),
  }
  return files
}
