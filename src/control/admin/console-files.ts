import { readdirSync, readFileSync } from 'node:fs'

let files: ReturnType<typeof readFiles> | undefined

/** Reads the files when the console or a report first needs them, not at start. console: Serving, parts */
export function consoleFiles() {
  files ??= readFiles()
  return files
}

/** Reads the files that the build has put beside this bundle. The names of assets contain a hash of the contents. */
function readFiles() {
  const folder = new URL('./console/', import.meta.url)
  const names = readdirSync(folder).filter((name) => name !== 'index.html')
  return {
    page: readFileSync(new URL('index.html', folder), 'utf8'),
    assets: new Map(names.map((name) => [name, readFileSync(new URL(name, folder))])),
  }
}
