import type { WireExchange } from '../../control/client/wire.js'
import type { Attacker } from './actors/attacker.js'
import type { Browser } from './actors/browser.js'
import type { Platform } from './actors/platform.js'
import type { AppUnderTest } from './app-under-test.js'
import type { AuditFile } from './file.js'
import type { Secrets } from './secrets.js'

/** What every check has to work with. The organizations, browsers and faults that it makes are its own. */
export interface Scene {
  app: AppUnderTest
  file: AuditFile
  /** Against which paths and commands of the file are resolved. */
  folder: string
  platform: Platform
  attacker: Attacker
  /** A fresh one, without cookies. */
  browser(): Browser
  secrets: Secrets
  /** Everything that the app has answered in this run. */
  exchanges: readonly WireExchange[]
  /** `{app_url}`: whoever issues the id_tokens. */
  issuer: string
  /** What `logs` held when the run began, in bytes, by file. */
  logsFrom: ReadonlyMap<string, number>
  /** Real milliseconds; rejects when the run ends meanwhile. */
  wait(ms: number): Promise<void>
  /** What the run has to find out once only, by name. */
  once<T>(name: string, find: () => Promise<T>): Promise<T>
}
