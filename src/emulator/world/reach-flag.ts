import { settingTable } from './setting-table.js'
import type { World } from './world.js'

const DEFAULT_ADDRESS = `http://127.0.0.1:${settingTable.port.default}`

/** Returns the flag with which a command of `mockademy` reaches this emulator: none at the default address. */
export const reachFlag = ({ addresses: { base_url } }: Pick<World, 'addresses'>): string =>
  base_url === DEFAULT_ADDRESS ? '' : ` --url ${base_url}`
