import { libertyTable } from '../../../src/emulator/liberties/liberty-table.js'
import { libertyKinds, libertyNames } from '../../../src/emulator/world/liberty-names.js'
import { code, tableOf } from './markdown.js'

/** A row of the decisions or a section of the platform as a link; anything else as it is. */
const linked = (source: string): string =>
  source.replace(/^(wire|spec): §(\d+)((?:\.\d+)*)/, (_, kind, chapter, rest) =>
    kind === 'wire'
      ? `[§${chapter}](decisions.md#s${chapter})`
      : `[spec §${chapter}${rest}](platform.md#s${chapter}${rest})`,
  )

/** The table of liberties, made of the one that the emulator goes by. */
export const libertiesReference = (): string =>
  tableOf(
    ['id', 'kind', 'what varies', 'what leaves it open'],
    libertyNames.map((name) => {
      const { varies, open } = libertyTable[name]
      return [`<a id="${name}"></a>${code(name)}`, libertyKinds[name], varies, open.map(linked).join('; ')]
    }),
  )
    .join('\n')
    .trim()
