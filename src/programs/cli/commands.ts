import type { CallName } from '../../control/admin/calls.js'
import { camelCase } from '../../foundation/schema/options.js'
import { type CommandEntry, type Loaded, nameOf } from './command/command.js'

const apps = () => import('./commands/apps.commands.js')
const audit = () => import('./commands/audit.command.js')
const ca = () => import('./commands/ca.command.js')
const compare = () => import('./commands/compare.command.js')
const completion = async () => ({
  completionCommand: (await import('./commands/completion.command.js')).completionCommand(commands),
})
const coverage = () => import('./commands/coverage.command.js')
const deliveries = () => import('./commands/deliveries.commands.js')
const dev = () => import('./commands/dev.command.js')
const exec = () => import('./commands/exec.command.js')
const faults = () => import('./commands/faults.commands.js')
const findings = () => import('./commands/findings.commands.js')
const generate = () => import('./commands/generate.command.js')
const init = () => import('./commands/init.command.js')
const liberties = () => import('./commands/liberties.commands.js')
const mcp = () => import('./commands/mcp.command.js')
const organizations = () => import('./commands/organizations.commands.js')
const pull = () => import('./commands/pull.command.js')
const report = () => import('./commands/report.command.js')
const requests = () => import('./commands/requests.commands.js')
const running = () => import('./commands/running.commands.js')
const scenario = () => import('./commands/scenario.commands.js')
const signIn = () => import('./commands/sign-in.commands.js')
const start = () => import('./commands/start.command.js')
const sweep = () => import('./commands/sweep.command.js')
const tokens = () => import('./commands/tokens.commands.js')
const validate = () => import('./commands/validate.command.js')
const world = () => import('./commands/world.commands.js')

/**
 * A command's line and description, and the module that exports it under its name (`apiKeyCommand` of `api-key`), or the
 * call that it makes, or those of its subcommands.
 */
type Row = [line: string | string[], describe: string, source: (() => Promise<object>) | CallName | CallName[]]

const under = (heading: string, rows: Row[]): CommandEntry[] =>
  rows.map(([line, describe, source], index) => ({
    ...(index === 0 && { heading }),
    line,
    describe,
    async load() {
      if (typeof source !== 'function') return ofCalls(source)
      const exported = (await source()) as Record<string, Loaded>
      return exported[`${camelCase(nameOf({ line }).replaceAll('-', '_'))}Command`] as Loaded
    },
  }))

async function ofCalls(calls: CallName | CallName[]): Promise<Loaded> {
  const { commandOf } = await import('./commands/control-command.js')
  return typeof calls === 'string' ? commandOf(calls) : { subcommands: calls.map(commandOf) }
}

/** Every command, the default one first. control-api: "CLI" */
export const commands: CommandEntry[] = [
  ...under('The emulator', [
    [['start', '$0'], 'Start the emulator (the default command)', start],
    ['dev', 'Start the emulator, run your app (after --) with its credentials, and install it', dev],
    ['exec', 'Run the command after -- with a temporary emulator, and exit with its status', exec],
    ['env', 'Print the variables that exec sets, for a running emulator, as KEY=value lines', world],
    ['stop', 'Stop a running emulator', running],
    ['open', 'Open the console of a running emulator in the browser', running],
    ['wait', 'Wait until an emulator is ready', running],
  ]),
  ...under('Projects and fixtures', [
    ['init', 'Set up a project: fixtures, manifest, scenario, test, audit file and scripts', init],
    ['validate <file..>', 'Check fixture files and list every error', validate],
    ['generate', 'Write a fixture document of synthetic organizations', generate],
    ['pull', 'Write a fixture document of an organization on the real platform', pull],
    ['compare', 'Show where the real platform differs from the emulator', compare],
    ['ca', 'Show the certificate authority that --https uses; create it if it is missing', ca],
    ['completion [shell]', 'Print a script that completes commands and flags in bash, zsh or fish', completion],
  ]),
  ...under('The world', [
    ['status', 'Show the address, clock, counts and pending work', world],
    ['reset', 'Restore the world that was loaded at start', 'reset'],
    ['mark <name>', 'Mark the journal with the name of a test or a step', 'mark'],
    ['snapshot [name]', 'Take a snapshot; without a name, list the snapshots', world],
    ['state', 'Export or import the whole world', world],
    ['clock', "Show the emulator's clock, or advance, freeze or resume it", world],
    [
      'sandboxes',
      'Create, list and end sandboxes: one organization for each test',
      ['createSandbox', 'listSandboxes', 'getSandbox', 'deleteSandbox'],
    ],
    ['organizations', 'List and change organizations and their members', organizations],
    ['users', 'List and change users', organizations],
    ['api-key <organization>', 'Generate or regenerate an API key and print it', organizations],
  ]),
  ...under('Apps', [
    ['apps', 'List, create and delete apps, push manifests', apps],
    ['installations', 'List installations', ['listInstallations', 'getInstallation']],
    ['install <app> <organization>', 'Install an app in an organization', 'install'],
    ['uninstall <app> <organization>', 'Uninstall an app from an organization', apps],
    ['upgrade <app> <organization>', 'Upgrade an installed app to its newest version', apps],
  ]),
  ...under('Credentials and sign-in', [
    ['tokens', 'List, mint, expire or revoke tokens', tokens],
    ['sign-in <user>', 'Sign a user in and print the session cookie', signIn],
    ['sessions', 'List or end sessions', signIn],
    ['keys', 'Rotate the signing key', ['rotateKeys']],
    [
      'silent-auth [outcome]',
      'Force the outcome of prompt=none requests; without one, list the forced outcomes',
      signIn,
    ],
  ]),
  ...under('Faults, liberties, webhooks and the journal', [
    ['faults', 'Inject, list or clear faults', faults],
    ['liberties', 'Vary undocumented details, by seed, or stop', liberties],
    ['deliveries', 'List, show or redeliver webhooks', deliveries],
    ['trigger <event>', 'Send any event to the app of an installation', deliveries],
    ['inbox <name>', 'Read a built-in webhook receiver, or set its responses', deliveries],
    ['findings', 'List the mistakes of the app under test', findings],
    ['coverage', 'Show which platform behaviors your app has exercised, and which not', coverage],
    ['report [file]', 'Write an HTML report of everything since the last reset', report],
    ['requests', 'Show incoming requests and outgoing webhooks', requests],
  ]),
  ...under('Tests and tools', [
    ['audit [file]', 'Audit a running app, acting as the platform, a browser and an attacker', audit],
    ['sweep [file]', 'Fail each step of a running app in turn, and report what does not recover', sweep],
    ['mcp', 'Serve tools to coding agents (Model Context Protocol over stdio)', mcp],
    ['scenario', 'Run scenarios, or record one', scenario],
    ['openapi', 'Print the OpenAPI document of the control API', 'adminDocument'],
  ]),
]
