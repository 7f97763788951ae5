import type { Options } from 'yargs'
import { type Config, readConfig } from '../../../control/start/config.js'
import { type Arguments, textFlag, textFrom } from './command.js'

export const configFlag = {
  config: textFlag('File with settings, fixtures and audit', {
    defaultDescription: 'mockademy.json beside package.json',
  }),
} satisfies Record<string, Options>

/** Reads the configuration that `--config` names, or that of the project. @throws StartError 2 */
export const configFrom = (args: Arguments): Promise<Config> => readConfig(textFrom(args, 'config'))
