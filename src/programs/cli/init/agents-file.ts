import { readFile } from 'node:fs/promises'
import { writeText } from '../files/output-file.js'
import type { Project } from './project.js'

const FILE = 'AGENTS.md'

const pointer = (installed: string | undefined) => `## Mockademy

This app runs against Mockademy, a local emulator of its platform. Before you change its webhook, tokens or sign-in, or
when one of them fails, ${installed ? `read ${installed}/skills/mockademy/SKILL.md` : 'ask its MCP server (`npx mockademy mcp`), which has the documentation'}.
`

/** Appends a pointer to the package's skill to `AGENTS.md`, or offers to. @returns a row for the report, or none. */
export async function pointAgents({ installed }: Project, isWanted: boolean): Promise<string[][]> {
  const text = await readFile(FILE, 'utf8').catch(() => undefined)
  if (text?.toLowerCase().includes('mockademy')) return isWanted ? [['kept', `${FILE} (it names Mockademy)`]] : []
  if (!isWanted) {
    return text === undefined ? [] : [['kept', `${FILE} (--agents adds a pointer to the skill for coding agents)`]]
  }
  await writeText(FILE, () => (text ? `${text.trimEnd()}\n\n${pointer(installed)}` : pointer(installed)))
  return [[text === undefined ? 'written' : 'changed', FILE]]
}
