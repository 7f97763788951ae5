import { type Command, type CommandEntry, type CommandGroup, nameOf } from './command.js'
import { CommandFailure } from './command-failure.js'

/** What can follow a command: its own commands and flags. */
interface Completions {
  [command: string]: string[]
}

/** Scripts by shell, made of the words that can follow each command (`''`: none yet). */
const scripts: Record<string, (words: Completions) => string> = {
  bash: (words) => `_mockademy() {
  local words cur="\${COMP_WORDS[COMP_CWORD]}" command="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  case "$command" in
${cases(words, (name, list) => `    ${name}) words="${list}" ;;`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _mockademy mockademy
`,
  zsh: (words) => `#compdef mockademy
autoload -U +X bashcompinit && bashcompinit
${scripts.bash?.(words)}`,
  fish: (words) =>
    Object.entries(words)
      .map(([name, list]) => {
        const when = name ? `__fish_seen_subcommand_from ${name}` : '__fish_use_subcommand'
        return `complete -c mockademy -n '${when}' -a '${list.join(' ')}'\n`
      })
      .join(''),
}

const cases = (words: Completions, line: (name: string, list: string) => string) =>
  Object.entries(words)
    .map(([name, list]) => line(name || '""', list.join(' ')))
    .join('\n')

/** `mockademy completion`: a script for the shell. control-api: "CLI" */
export const completionCommand = (commands: CommandEntry[]): Command => ({
  flags: {},
  operands: { shell: { type: 'string', describe: 'bash, zsh or fish', default: 'bash' } },
  example: 'bash >> ~/.bashrc',

  async run({ shell }) {
    const script = Object.hasOwn(scripts, String(shell)) ? scripts[String(shell)] : undefined
    if (!script) {
      const known = Object.keys(scripts).join(', ')
      throw new CommandFailure(2, `mockademy: there is no script for ${JSON.stringify(shell)}; there are: ${known}`)
    }
    const words: Completions = { '': commands.map(nameOf) }
    for (const entry of commands) {
      words[nameOf(entry)] = wordsOf(await entry.load())
    }
    process.stdout.write(script(words))
    return 0
  },
})

function wordsOf(loaded: Command | CommandGroup): string[] {
  const own = 'subcommands' in loaded ? loaded.subcommands : [loaded]
  const names = 'subcommands' in loaded ? loaded.subcommands.map(nameOf) : []
  const flags = own.flatMap(({ flags }) => Object.keys(flags).map((name) => `--${name}`))
  return [...names, ...new Set(flags)]
}
