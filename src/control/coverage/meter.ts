import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { World } from '../../emulator/world/world.js'
import { hasMetFault } from '../findings/response-visibility.js'

export type MeteredWorld = Pick<World, 'store' | 'journal' | 'stream'>

/** Counts that the app of an exchange, or another one, has met a cell. */
export type Meet = (group: string, row: string, column: string, app?: string) => void

/** Counts what the exchanges of one group of cells show. */
export type Meter = (entry: JournalEntry, meet: Meet) => void

/** Returns true when an injected fault has changed, replaced or cut the response. */
export const isChanged = (entry: JournalEntry): boolean => entry.broken === true || hasMetFault(entry)

/** Writes the name of an effect or outcome as a column. */
export const columnOf = (name: string): string => name.replaceAll('_', '-')
