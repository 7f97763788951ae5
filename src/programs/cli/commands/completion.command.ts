import { createCaller } from '../../../control/client/caller.js'
import { idTokenEffects, webhookEffects } from '../../../emulator/faults/effect-names.js'
import { injectedRefusals } from '../../../emulator/serving/injected-refusal.js'
import { type Command, type CommandEntry, flagsOf, isGroup, nameOf, textFrom, wrongUse } from '../command/command.js'
import { addressOf } from '../flags/address.js'
import { frontFlags, type Located, locate } from './locate.js'

const knownValues: Record<string, () => string[] | Promise<string[]>> = {
  app: async () => (await (await caller())('listApps')).map(({ id }) => id),
  organization: async () => (await (await caller())('listOrganizations')).map(({ slug }) => slug),
  effect: () => Object.keys({ ...injectedRefusals, ...webhookEffects, ...idTokenEffects }),
  forged: () => Object.keys(webhookEffects),
}

async function caller() {
  const { url, token } = await addressOf({})
  return createCaller(url, token)
}

/** Scripts by shell. Each calls `completion --line` when Tab is pressed, and completes file names when it prints nothing. */
const scripts: Record<string, string> = {
  bash: `_mockademy() {
  local IFS=$'\\n'
  COMPREPLY=($("$1" completion --line "\${COMP_LINE:0:COMP_POINT}" 2> /dev/null))
}
complete -o default -F _mockademy mockademy
`,
  zsh: `#compdef mockademy
_mockademy() {
  local -a found
  found=(\${(f)"$("\${(Q)words[1]}" completion --line "\${(j: :)words[1,CURRENT-1]} $PREFIX" 2> /dev/null)"})
  if (( $#found )); then compadd -a found; else _default; fi
}
if [[ "$funcstack[1]" == _mockademy ]]; then
  _mockademy
else
  (( $+functions[compdef] )) || { autoload -U compinit && compinit; }
  compdef _mockademy mockademy
fi
`,
  fish: `function _mockademy
  set -l found (mockademy completion --line (commandline -cp | string collect) 2> /dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c mockademy -f -a '(_mockademy)'
`,
}

/** `mockademy completion`: a script for the shell. control-api: "CLI" */
export const completionCommand = (commands: CommandEntry[]): Command => ({
  flags: { line: { type: 'string', requiresArg: true, hidden: true } },
  operands: { shell: { type: 'string', describe: 'bash, zsh or fish', default: 'bash' } },
  example: ['bash >> ~/.bashrc', 'zsh >> ~/.zshrc', 'fish > ~/.config/fish/completions/mockademy.fish'],
  calls: ['listApps', 'listOrganizations'],

  async run(args) {
    const line = textFrom(args, 'line')
    if (line !== undefined) {
      const words = await wordsAt(line, commands)
      process.stdout.write(words.map((word) => `${word}\n`).join(''))
      return 0
    }
    const { shell } = args
    const script = Object.hasOwn(scripts, String(shell)) ? scripts[String(shell)] : undefined
    if (!script) {
      const known = Object.keys(scripts).join(', ')
      throw wrongUse(`there is no script for ${JSON.stringify(shell)}; there are: ${known}`)
    }
    process.stdout.write(script)
    return 0
  },
})

/** Returns the words that can continue a command line up to the cursor; none where a file name may follow. */
async function wordsAt(line: string, commands: CommandEntry[]): Promise<string[]> {
  const typed = line.match(/(?:\\.|"[^"]*"?|'[^']*'?|[^\s\\"'])+/g) ?? []
  const current = /\s$/.test(line) ? '' : (typed.pop() ?? '')
  const before = typed.slice(1)
  if (before.includes('--')) return []
  const words = await wordsAfter(before, await locate(before, commands), commands)
  return [...new Set(words)].filter((word) => word.startsWith(current))
}

async function wordsAfter(before: string[], { entry, loaded, argv }: Located, commands: CommandEntry[]) {
  const called = argv[0] === nameOf(entry)
  const sub = isGroup(loaded) ? loaded.subcommands.find((each) => nameOf(each) === argv[1]) : undefined
  const flags = flagsOf(sub ?? loaded)
  const name = before.at(-1)?.replace(/^--/, '') ?? ''
  const flag = before.at(-1)?.startsWith('--') ? { ...frontFlags, ...flags }[name] : undefined
  if (flag && flag.type !== 'boolean') return flag.choices?.map(String) ?? (await valuesOf(name))

  const names = Object.keys(flags).flatMap((each) => (flags[each]?.hidden ? [] : [`--${each}`]))
  if (!called) return [...commands.map(nameOf), ...names]
  if (isGroup(loaded) && !sub) return [...loaded.subcommands.map(nameOf), ...names]
  const operands = Object.keys((sub ?? (loaded as Command)).operands ?? {})
  return [...(await Promise.all(operands.map(valuesOf))).flat(), ...names]
}

/** Returns the known values of a flag or operand; those that only an emulator knows are left out when none is running. */
async function valuesOf(name: string): Promise<string[]> {
  const values = await Promise.resolve(knownValues[name]?.()).catch(() => undefined)
  // A shell would expand others, or read them as more than one word.
  return (values ?? []).filter((value) => /^[\w.-]+$/.test(value))
}
