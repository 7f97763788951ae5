import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = 'AGENTS.md'

const pointer = `## Mockademy

This app runs against Mockademy, a local emulator of its platform. Before you change its webhook, tokens or sign-in, or
when one of them fails, read node_modules/mockademy/skills/mockademy/SKILL.md.
`

/**
 * Appends a pointer to the package's skill to `AGENTS.md`, unless the file names Mockademy.
 * @param isWanted writes it; otherwise a file that exists gets an offer instead.
 * @returns a row for the report, or none.
 */
export async function pointAgents(folder: string, isWanted: boolean): Promise<string[][]> {
  const path = join(folder, FILE)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text?.toLowerCase().includes('mockademy')) return isWanted ? [['kept', `${FILE} (it names Mockademy)`]] : []
  if (!isWanted) {
    return text === undefined ? [] : [['kept', `${FILE} (--agents adds a pointer to the skill for coding agents)`]]
  }
  await writeFile(path, text ? `${text.trimEnd()}\n\n${pointer}` : pointer)
  return [[text === undefined ? 'written' : 'changed', FILE]]
}
