import type { CommandEntry } from './parts/command.js'

/** Every command, the default one first. control-api: "CLI" */
export const commands: CommandEntry[] = [
  {
    heading: 'The emulator',
    line: ['start', '$0'],
    describe: 'Start the emulator (the default command)',
    load: async () => (await import('./commands/start.command.js')).startCommand,
  },
  {
    line: 'dev',
    describe: 'Start the emulator for the app here, run the command after -- with its secrets, and install it',
    load: async () => (await import('./commands/dev.command.js')).devCommand,
  },
  {
    line: 'exec',
    describe: 'Run the command after -- against an emulator of its own, on a free port, and exit with its status',
    load: async () => (await import('./commands/exec.command.js')).execCommand,
  },
  {
    line: 'env',
    describe: 'Print the variables that exec sets, for a running emulator, as KEY=value lines',
    load: async () => (await import('./commands/world.commands.js')).envCommand,
  },
  {
    line: 'stop',
    describe: 'Stop a running emulator',
    load: async () => (await import('./commands/stop.command.js')).stopCommand,
  },
  {
    line: 'open',
    describe: 'Open the console of a running emulator in the browser',
    load: async () => (await import('./commands/open.command.js')).openCommand,
  },
  {
    line: 'wait',
    describe: 'Wait until an emulator is ready',
    load: async () => (await import('./commands/wait.command.js')).waitCommand,
  },
  {
    heading: 'Projects and fixtures',
    line: 'init',
    describe: 'Set a project up: fixtures, a manifest, a scenario, a test, an audit file and scripts',
    load: async () => (await import('./commands/init.command.js')).initCommand,
  },
  {
    line: 'validate <file..>',
    describe: 'Check fixture files and list every error',
    load: async () => (await import('./commands/validate.command.js')).validateCommand,
  },
  {
    line: 'generate',
    describe: 'Write a fixture document of synthetic organizations',
    load: async () => (await import('./commands/generate.command.js')).generateCommand,
  },
  {
    line: 'pull',
    describe: 'Write a fixture document of an organization on the real platform',
    load: async () => (await import('./commands/pull.command.js')).pullCommand,
  },
  {
    line: 'compare',
    describe: 'Show where the real platform differs from the emulator',
    load: async () => (await import('./commands/compare.command.js')).compareCommand,
  },
  {
    line: 'ca',
    describe: 'Show the local certificate authority that --https uses; create it if it is missing',
    load: async () => (await import('./commands/ca.command.js')).caCommand,
  },
  {
    line: 'completion [shell]',
    describe: 'Print a script that completes commands and flags in bash, zsh or fish',
    load: async () => (await import('./commands/completion.command.js')).completionCommand(commands),
  },
  {
    heading: 'The world',
    line: 'status',
    describe: 'Show the address, clock, counts and pending work',
    load: async () => (await import('./commands/world.commands.js')).statusCommand,
  },
  {
    line: 'reset',
    describe: 'Restore the world that was loaded at start',
    load: async () => (await import('./commands/world.commands.js')).resetCommand,
  },
  {
    line: 'mark <name>',
    describe: 'Mark the journal with the name of a test or a step',
    load: async () => (await import('./commands/world.commands.js')).markCommand,
  },
  {
    line: 'snapshot [name]',
    describe: 'Take a snapshot; without a name, list the snapshots',
    load: async () => (await import('./commands/world.commands.js')).snapshotCommand,
  },
  {
    line: 'state',
    describe: 'Export or import the whole world',
    load: async () => (await import('./commands/world.commands.js')).stateCommand,
  },
  {
    line: 'clock',
    describe: "Show the emulator's clock, or advance, freeze or resume it",
    load: async () => (await import('./commands/world.commands.js')).clockCommand,
  },
  {
    line: 'sandboxes',
    describe: 'Make, list and end sandboxes: an organization for each test',
    load: async () => (await import('./commands/organizations.commands.js')).sandboxesCommand,
  },
  {
    line: 'organizations',
    describe: 'List and change organizations and their members',
    load: async () => (await import('./commands/organizations.commands.js')).organizationsCommand,
  },
  {
    line: 'users',
    describe: 'List and change users',
    load: async () => (await import('./commands/organizations.commands.js')).usersCommand,
  },
  {
    line: 'api-key <organization>',
    describe: 'Generate or regenerate an API key and print it',
    load: async () => (await import('./commands/organizations.commands.js')).apiKeyCommand,
  },
  {
    heading: 'Apps',
    line: 'apps',
    describe: 'List, create and delete apps, push manifests',
    load: async () => (await import('./commands/apps.commands.js')).appsCommand,
  },
  {
    line: 'installations',
    describe: 'List installations',
    load: async () => (await import('./commands/apps.commands.js')).installationsCommand,
  },
  {
    line: 'install <app> <organization>',
    describe: 'Install an app in an organization',
    load: async () => (await import('./commands/apps.commands.js')).installCommand,
  },
  {
    line: 'uninstall <app> <organization>',
    describe: 'Uninstall an app from an organization',
    load: async () => (await import('./commands/apps.commands.js')).uninstallCommand,
  },
  {
    line: 'upgrade <app> <organization>',
    describe: 'Upgrade an installed app to its newest version',
    load: async () => (await import('./commands/apps.commands.js')).upgradeCommand,
  },
  {
    heading: 'Credentials and sign-in',
    line: 'tokens',
    describe: 'List, mint, expire or revoke tokens',
    load: async () => (await import('./commands/tokens.commands.js')).tokensCommand,
  },
  {
    line: 'sign-in <user>',
    describe: 'Sign a user in and print the session cookie',
    load: async () => (await import('./commands/sign-in.commands.js')).signInCommand,
  },
  {
    line: 'sessions',
    describe: 'List or end sessions',
    load: async () => (await import('./commands/sign-in.commands.js')).sessionsCommand,
  },
  {
    line: 'keys',
    describe: 'Rotate the signing key',
    load: async () => (await import('./commands/sign-in.commands.js')).keysCommand,
  },
  {
    line: 'silent-auth [outcome]',
    describe: 'Force the outcome of prompt=none requests; without one, list the forced outcomes',
    load: async () => (await import('./commands/sign-in.commands.js')).silentAuthCommand,
  },
  {
    heading: 'Faults, liberties, webhooks and the journal',
    line: 'faults',
    describe: 'Inject, list or clear faults',
    load: async () => (await import('./commands/faults.commands.js')).faultsCommand,
  },
  {
    line: 'liberties',
    describe: 'Take the liberties that the platform leaves itself, by seed, or none',
    load: async () => (await import('./commands/liberties.commands.js')).libertiesCommand,
  },
  {
    line: 'deliveries',
    describe: 'List, show or redeliver webhooks',
    load: async () => (await import('./commands/deliveries.commands.js')).deliveriesCommand,
  },
  {
    line: 'trigger <event>',
    describe: 'Send any event to the app of an installation',
    load: async () => (await import('./commands/deliveries.commands.js')).triggerCommand,
  },
  {
    line: 'inbox <name>',
    describe: 'Read a built-in webhook receiver, or set its responses',
    load: async () => (await import('./commands/deliveries.commands.js')).inboxCommand,
  },
  {
    line: 'findings',
    describe: 'List the mistakes of the app under test',
    load: async () => (await import('./commands/findings.commands.js')).findingsCommand,
  },
  {
    line: 'coverage',
    describe: 'Show which behaviours of the platform the app has met, and how to meet the rest',
    load: async () => (await import('./commands/coverage.command.js')).coverageCommand,
  },
  {
    line: 'report [file]',
    describe: 'Write what has happened since the last reset into one HTML file that explains it',
    load: async () => (await import('./commands/report.command.js')).reportCommand,
  },
  {
    line: 'requests',
    describe: 'Show incoming requests and outgoing webhooks',
    load: async () => (await import('./commands/deliveries.commands.js')).requestsCommand,
  },
  {
    heading: 'Tests and tools',
    line: 'audit [file]',
    describe: 'Audit an app that runs: as the platform, a browser and an attacker',
    load: async () => (await import('./commands/audit.command.js')).auditCommand,
  },
  {
    line: 'sweep [file]',
    describe: 'Break each step of an app that runs, and tell what does not heal',
    load: async () => (await import('./commands/sweep.command.js')).sweepCommand,
  },
  {
    line: 'mcp',
    describe: 'Serve tools to a coding agent: what happened, why, what to do (Model Context Protocol, stdio)',
    load: async () => (await import('./commands/mcp.command.js')).mcpCommand,
  },
  {
    line: 'scenario',
    describe: 'Run scenarios, or record one',
    load: async () => (await import('./commands/scenario.commands.js')).scenarioCommand,
  },
  {
    line: 'openapi',
    describe: 'Print the OpenAPI document of the control API',
    load: async () => (await import('./commands/world.commands.js')).openapiCommand,
  },
]
