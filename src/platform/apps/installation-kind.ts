import { kind } from '../../foundation/store/kind.js'
import type { InstallationRecord } from './installation-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    installations: { record: InstallationRecord; kind: typeof installationKind }
  }
}

/** Whether the app is there: installed, or being uninstalled with its tokens still valid. spec: §3 */
const isThere = ({ state }: InstallationRecord) => state === 'installed' || state === 'uninstalling'

export const installationKind = kind(async () => (await import('./installation-record.js')).installationRecord, {
  indexes: {
    app: { key: (it) => it.app },
    organization: { key: (it) => it.organization },
    /** `<app>/<organization>`: the one that is installed or uninstalling there. */
    current: { key: (it) => (isThere(it) ? `${it.app}/${it.organization}` : null) },
    /** `<app>/<version>`: those of that version that are installed or uninstalling. */
    current_version: { key: (it) => (isThere(it) ? `${it.app}/${it.version}` : null) },
    /** `all`: those whose tokens are still to be revoked. */
    uninstalling: { key: (it) => (it.state === 'uninstalling' ? 'all' : null) },
  },
  fixture: 'own',
  goesWith: { organizations: 'organization', apps: 'app' },
  counted: true,
})
