import { createCaller } from '../../../control/client/caller.js'
import { idTokenEffects, webhookEffects } from '../../../emulator/faults/effect-names.js'
import { injectedRefusals } from '../../../emulator/serving/injected-refusal.js'
import { type Command, type CommandEntry, type CommandGroup, isGroup, nameOf, wrongUse } from '../command/command.js'
import { addressOf } from '../flags/address.js'

/** Words that can follow a command: its own commands and flags, and values of its operands. */
interface Completions {
  [command: string]: { words: string[]; values: AskedValue[] }
}

const effects = Object.keys({ ...injectedRefusals, ...webhookEffects, ...idTokenEffects })

/** Values that a running emulator knows, under the names of the flags and operands that take them. */
const askedValues = {
  app: async (call) => (await call('listApps')).map(({ id }) => id),
  organization: async (call) => (await call('listOrganizations')).map(({ slug }) => slug),
} satisfies Record<string, (call: ReturnType<typeof createCaller>) => Promise<string[]>>

type AskedValue = keyof typeof askedValues
const askedNames = Object.keys(askedValues) as AskedValue[]

const asking = (value: AskedValue) => `$(mockademy completion --values ${value} 2> /dev/null)`

/** Scripts by shell, made of what can follow each command (`''`: none yet). */
const scripts: Record<string, (completions: Completions) => string> = {
  bash: (completions) => `_mockademy() {
  local words cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  case "$previous" in
${askedNames.map((value) => `    --${value}) words="${asking(value)}" ;;`).join('\n')}
    --forged) words="${Object.keys(webhookEffects).join(' ')}" ;;
    *) case "$command" in
${Object.entries(completions)
  .map(
    ([name, { words, values }]) => `      ${name || '""'}) words="${[...words, ...values.map(asking)].join(' ')}" ;;`,
  )
  .join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _mockademy mockademy
`,
  zsh: (completions) => `#compdef mockademy
autoload -U +X bashcompinit && bashcompinit
${scripts.bash?.(completions)}`,
  fish: (completions) =>
    Object.entries(completions)
      .flatMap(([name, { words, values }]) => {
        const when = name ? `__fish_seen_subcommand_from ${name}` : '__fish_use_subcommand'
        const asked = values.map((value) => `(mockademy completion --values ${value} 2> /dev/null)`)
        return [words.join(' '), ...asked].map((list) => `complete -c mockademy -n '${when}' -a '${list}'\n`)
      })
      .join(''),
}

/** `mockademy completion`: a script for the shell. control-api: "CLI" */
export const completionCommand = (commands: CommandEntry[]): Command => ({
  flags: { values: { type: 'string', choices: askedNames, hidden: true } },
  operands: { shell: { type: 'string', describe: 'bash, zsh or fish', default: 'bash' } },
  example: 'bash >> ~/.bashrc',
  calls: ['listApps', 'listOrganizations'],

  async run({ shell, values }) {
    if (values !== undefined) {
      const { url, token } = await addressOf({})
      const known = await askedValues[values as AskedValue](createCaller(url, token))
      // bash expands what it completes with, as `$(…)`.
      const plain = known.filter((value) => /^[\w.-]+$/.test(value))
      process.stdout.write(plain.map((value) => `${value}\n`).join(''))
      return 0
    }
    const script = Object.hasOwn(scripts, String(shell)) ? scripts[String(shell)] : undefined
    if (!script) {
      const known = Object.keys(scripts).join(', ')
      throw wrongUse(`there is no script for ${JSON.stringify(shell)}; there are: ${known}`)
    }
    const completions: Completions = { '': { words: commands.map(nameOf), values: [] } }
    for (const entry of commands) completions[nameOf(entry)] = completionsOf(await entry.load())
    process.stdout.write(script(completions))
    return 0
  },
})

function completionsOf(loaded: Command | CommandGroup): Completions[string] {
  const names = isGroup(loaded) ? loaded.subcommands.map(nameOf) : []
  const own: Command[] = isGroup(loaded) ? loaded.subcommands : [loaded]
  const flags = own.flatMap(({ flags }) =>
    Object.entries(flags).flatMap(([name, { hidden }]) => (hidden ? [] : [`--${name}`])),
  )
  const operands = own.flatMap(({ operands = {} }) => Object.keys(operands))
  return {
    words: [...names, ...(operands.includes('effect') ? effects : []), ...new Set(flags)],
    values: askedNames.filter((value) => operands.includes(value)),
  }
}
