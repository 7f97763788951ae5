import type { AuditFileInput } from '../../audit/context/file.js'
import type { Arguments } from './command.js'
import { configFrom } from './config.js'

export const DEFAULT_FILE = 'mockademy.audit.json'

/** Returns `audit` of `mockademy.json`, else the name of the usual file. audit: "Running it" */
export async function auditFileOf(args: Arguments): Promise<string | AuditFileInput> {
  const { audit } = await configFrom(args)
  return audit === undefined ? DEFAULT_FILE : (audit as AuditFileInput)
}
