import type { CommandEntry } from './command.js'

/** Every command, the default one first. control-api: "CLI" */
export const commands: CommandEntry[] = [
  {
    line: ['start', '$0'],
    describe: 'Start the emulator (the default command)',
    load: async () => (await import('./start.command.js')).start,
  },
  {
    line: 'exec',
    describe: 'Run the command after -- against an emulator of its own, on a free port, and exit with its status',
    load: async () => (await import('./exec.command.js')).exec,
  },
  {
    line: 'env',
    describe: 'Print the variables that exec sets, for a running emulator, as KEY=value lines',
    load: async () => (await import('./control/world.commands.js')).env,
  },
  {
    line: 'stop',
    describe: 'Stop a running emulator',
    load: async () => (await import('./stop.command.js')).stop,
  },
  {
    line: 'open',
    describe: 'Open the console of a running emulator in the browser',
    load: async () => (await import('./open.command.js')).open,
  },
  {
    line: 'wait',
    describe: 'Wait until an emulator is ready',
    load: async () => (await import('./wait.command.js')).wait,
  },
  {
    line: 'init',
    describe: 'Set a project up: fixtures, a manifest, a scenario, a test, an audit file and scripts',
    load: async () => (await import('./init.command.js')).init,
  },
  {
    line: 'validate <file..>',
    describe: 'Check fixture files, listing everything that is wrong',
    load: async () => (await import('./validate.command.js')).validate,
  },
  {
    line: 'generate',
    describe: 'Write a fixture document of synthetic organizations',
    load: async () => (await import('./generate.command.js')).generate,
  },
  {
    line: 'pull',
    describe: 'Write a fixture document of what an organization has on the real platform',
    load: async () => (await import('./pull.command.js')).pull,
  },
  {
    line: 'compare',
    describe: 'Show where the real platform differs from the emulator',
    load: async () => (await import('./compare.command.js')).compare,
  },
  {
    line: 'ca',
    describe: 'Show the local certificate authority that --https uses; make it when there is none',
    load: async () => (await import('./ca.command.js')).ca,
  },
  {
    line: 'completion [shell]',
    describe: 'Print a script that completes commands and flags in bash, zsh or fish',
    load: async () => (await import('./completion.command.js')).completionOf(commands),
  },
  {
    line: 'status',
    describe: 'Show the address, the clock, counts, and what is pending',
    load: async () => (await import('./control/world.commands.js')).status,
  },
  {
    line: 'reset',
    describe: 'Go back to the world as it was loaded at start',
    load: async () => (await import('./control/world.commands.js')).reset,
  },
  {
    line: 'snapshot [name]',
    describe: 'Name the present state; without a name, list the snapshots',
    load: async () => (await import('./control/world.commands.js')).snapshot,
  },
  {
    line: 'state',
    describe: 'Export or import the whole world',
    load: async () => (await import('./control/world.commands.js')).state,
  },
  {
    line: 'clock',
    describe: "Show the emulator's clock, or advance, freeze or resume it",
    load: async () => (await import('./control/clock.commands.js')).clock,
  },
  {
    line: 'organizations',
    describe: 'List and change organizations and their members',
    load: async () => (await import('./control/organizations.commands.js')).organizations,
  },
  {
    line: 'users',
    describe: 'List and change users',
    load: async () => (await import('./control/organizations.commands.js')).users,
  },
  {
    line: 'api-key <organization>',
    describe: 'Generate or regenerate an API key and print it',
    load: async () => (await import('./control/organizations.commands.js')).apiKey,
  },
  {
    line: 'apps',
    describe: 'List, create and delete apps, push manifests',
    load: async () => (await import('./control/apps.commands.js')).apps,
  },
  {
    line: 'installations',
    describe: 'List installations',
    load: async () => (await import('./control/apps.commands.js')).installations,
  },
  {
    line: 'install <app> <organization>',
    describe: 'Install an app in an organization',
    load: async () => (await import('./control/apps.commands.js')).install,
  },
  {
    line: 'uninstall <app> <organization>',
    describe: 'Uninstall an app from an organization',
    load: async () => (await import('./control/apps.commands.js')).uninstall,
  },
  {
    line: 'upgrade <app> <organization>',
    describe: 'Upgrade an installed app to its newest version',
    load: async () => (await import('./control/apps.commands.js')).upgrade,
  },
  {
    line: 'tokens',
    describe: 'List, mint, expire or revoke tokens',
    load: async () => (await import('./control/tokens.commands.js')).tokens,
  },
  {
    line: 'sign-in <user>',
    describe: 'Sign a user in and print the session cookie',
    load: async () => (await import('./control/sign-in.commands.js')).signIn,
  },
  {
    line: 'sessions',
    describe: 'List or end sessions',
    load: async () => (await import('./control/sign-in.commands.js')).sessions,
  },
  {
    line: 'keys',
    describe: 'Rotate the signing key',
    load: async () => (await import('./control/sign-in.commands.js')).keys,
  },
  {
    line: 'silent-auth [outcome]',
    describe: 'Force how prompt=none requests end; without an outcome, list what is forced',
    load: async () => (await import('./control/sign-in.commands.js')).silentAuth,
  },
  {
    line: 'faults',
    describe: 'Inject, list or clear faults',
    load: async () => (await import('./control/faults.commands.js')).faults,
  },
  {
    line: 'deliveries',
    describe: 'List, show or redeliver webhooks',
    load: async () => (await import('./control/deliveries.commands.js')).deliveries,
  },
  {
    line: 'trigger <event>',
    describe: 'Send any event to the app of an installation',
    load: async () => (await import('./control/deliveries.commands.js')).trigger,
  },
  {
    line: 'inbox <name>',
    describe: 'Read a built-in webhook receiver, or make it misbehave',
    load: async () => (await import('./control/deliveries.commands.js')).inbox,
  },
  {
    line: 'findings',
    describe: 'Show what the app under test did that it should not',
    load: async () => (await import('./control/findings.commands.js')).findings,
  },
  {
    line: 'requests',
    describe: 'Show what came in and what went out',
    load: async () => (await import('./control/deliveries.commands.js')).requests,
  },
  {
    line: 'audit [file]',
    describe: 'Audit an app that runs: as the platform, a browser and an attacker',
    load: async () => (await import('./audit.command.js')).audit,
  },
  {
    line: 'mcp',
    describe: 'Serve the control API to a coding agent, as tools of the Model Context Protocol over stdio',
    load: async () => (await import('./mcp.command.js')).mcp,
  },
  {
    line: 'scenario',
    describe: 'Run scenarios, or record one',
    load: async () => (await import('./scenario.commands.js')).scenario,
  },
  {
    line: 'openapi',
    describe: 'Print the OpenAPI document of the control API',
    load: async () => (await import('./control/world.commands.js')).openapi,
  },
]
