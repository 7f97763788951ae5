import { type SettingName, settingNames, settingTable } from '../../../src/emulator/world/setting-table.js'
import { execCommand } from '../../../src/programs/cli/commands/exec.command.js'
import { startCommand } from '../../../src/programs/cli/commands/start.command.js'
import { code, sentence, tableOf } from './markdown.js'

/** Forms of a value in a flag or a variable. */
const written: Record<(typeof settingTable)[SettingName]['kind'], string> = {
  text: 'text',
  number: 'number',
  boolean: 'yes or no',
  duration: 'duration',
  durations: 'durations',
  list: 'list',
  map: 'map',
}

/** Returns the default with `start`, and that with `exec` and `startEmulator` where it differs. */
function defaultOf(flag: string): string {
  const shown = startCommand.flags[flag]?.defaultDescription
  const other = execCommand.flags[flag]?.defaultDescription
  const asCode = (text: string | undefined) =>
    text === undefined || / /.test(text) || text === 'none' ? (text ?? 'none') : code(text)
  return other === shown ? asCode(shown) : `${asCode(shown)}; elsewhere ${asCode(other)}`
}

/** The table of settings. */
export const settingsReference = (): string =>
  tableOf(
    ['setting', 'default', 'value', 'meaning'],
    settingNames.map((name) => {
      const { kind, describe, process } = settingTable[name]
      return [
        `<a id="${name}"></a>${code(name)}${process ? ' ¹' : ''}`,
        defaultOf(name.replaceAll('_', '-')),
        written[kind],
        sentence(describe),
      ]
    }),
  )
    .join('\n')
    .trim()
