import { homedir } from 'node:os'
import { join } from 'node:path'

/** Returns the folder for this user's data by the system's convention; `$XDG_DATA_HOME` goes first everywhere. */
export function dataFolder(): string {
  const { XDG_DATA_HOME, LOCALAPPDATA } = process.env
  if (XDG_DATA_HOME) return join(XDG_DATA_HOME, 'mockademy')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'mockademy')
  if (process.platform === 'win32') return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'mockademy')
  return join(homedir(), '.local', 'share', 'mockademy')
}
