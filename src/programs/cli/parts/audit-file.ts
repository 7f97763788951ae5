import type { Duration } from '../../../foundation/schema/duration.js'
import type { AuditFileInput } from '../../audit/context/file.js'
import type { Arguments } from './command.js'
import { configFrom } from './config.js'

export const DEFAULT_FILE = 'mockademy.audit.json'

/** Returns `audit` of `mockademy.json`, else the name of the usual file. audit: "Running it" */
export async function auditFileOf(args: Arguments): Promise<string | AuditFileInput> {
  const { audit } = await configFrom(args)
  return audit === undefined ? DEFAULT_FILE : (audit as AuditFileInput)
}

/** Milliseconds may be given without a unit. */
export const durationOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : text) as Duration

/** The values of a flag that may be given several times. */
export const textsOf = (given: unknown): string[] => (given === undefined ? [] : [given].flat().map(String))
