import type { Options } from 'yargs'
import { type Config, readConfig } from '../../../control/start/config.js'
import { type Arguments, textFrom } from './command.js'

export const configFlag = {
  config: {
    type: 'string',
    describe: 'File with settings, fixtures and audit',
    defaultDescription: 'mockademy.json beside package.json',
    requiresArg: true,
  },
} as const satisfies Record<string, Options>

/** Reads the configuration that `--config` names, or that of the project. @throws StartError 2 */
export const configFrom = (args: Arguments): Promise<Config> => readConfig(textFrom(args, 'config'))
