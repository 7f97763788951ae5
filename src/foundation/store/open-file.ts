import { open } from 'node:fs/promises'

/** Opens a file that is closed at the end of its block, even where a handle has only `close`: in Yarn's Plug'n'Play. */
export async function openFile(path: string, flags: string, mode?: number) {
  const handle = await open(path, flags, mode)
  return { handle, [Symbol.asyncDispose]: () => handle.close() }
}
