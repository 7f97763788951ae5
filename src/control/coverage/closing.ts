import { shellQuoted } from '../../emulator/world/shell-quoted.js'

/** A step of a scenario: the field that says its kind, with its body. control-api: "Scenarios" */
export type ClosingStep = { [kind: string]: Record<string, unknown> }

/** The way to close a gap: steps of a scenario, or a line for a shell where no step does it. */
export type Closing = ClosingStep[] | string

/** Returns the line that closes a gap: a command for each step. */
export const shellLine = (closing: Closing): string =>
  typeof closing === 'string' ? closing : closing.map(commandOf).join(' && ')

function commandOf(step: ClosingStep): string {
  const [[kind, body]] = Object.entries(step) as [[string, Record<string, unknown>]]
  return commands[kind as keyof typeof commands](body as never)
}

const mockademy = (...words: string[]) => ['mockademy', ...words].filter(Boolean).join(' ')

const flags = (fields: Record<string, unknown>) =>
  Object.entries(fields)
    .map(([name, value]) => `--${name.replaceAll('_', '-')} ${quoted(value)}`)
    .join(' ')

const quoted = (value: unknown) => shellQuoted(typeof value === 'string' ? value : JSON.stringify(value))

const ofInstallation =
  (command: string) =>
  ({ app, organization }: { app: string; organization: string }) =>
    mockademy(command, app, organization)

/** The command that does the same as a step, by its kind. */
const commands = {
  fault: ({ match, effect, ...more }: { match: object; effect: unknown }) =>
    mockademy('faults add', quoted(effect), flags({ ...match, ...more })),
  expire: (filters: object) => mockademy('tokens expire', flags({ ...filters })),
  revoke: (filters: object) => mockademy('tokens revoke', flags({ ...filters })),
  install: ofInstallation('install'),
  upgrade: ofInstallation('upgrade'),
  uninstall: ofInstallation('uninstall'),
  push: (manifest: object) => `printf %s ${quoted(manifest)} | ${mockademy('apps push -')}`,
  organization: ({ slug }: { slug: string }) => mockademy('organizations create', slug),
  member: ({ organization, user, role }: { organization: string; user: string; role: string }) =>
    mockademy('organizations add-member', organization, quoted(user), flags({ role })),
  advance: ({ by }: { by: string }) => mockademy('clock advance', by),
  event: ({ type, app, organization }: { type: string; app: string; organization: string }) =>
    mockademy('trigger', type, flags({ app, organization })),
  ambient: ({ user }: { user: string }) => mockademy('sign-in', quoted(user), '--ambient'),
  silent_auth: ({ outcome, ...more }: { outcome: string }) => mockademy('silent-auth', outcome, flags(more)),
  rotate_keys: () => mockademy('keys rotate'),
  fixtures: (document: object) => `printf %s ${quoted(document)} | ${mockademy('state add -')}`,
  visit: ({ url }: { url: string }) => `curl -sL ${quoted(url)}`,
}
