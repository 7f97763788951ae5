// Makes the mutants of rooms of src, and chooses some of them. Stryker's instrumenter changes the code.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/** It writes down how many files it has read, which is of no use here. */
const silent = { isDebugEnabled: () => false, debug: () => {}, info: () => {}, warn: console.warn }

const filesOf = (root, room) =>
  readdirSync(join(root, 'src'), { recursive: true })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.split('/')[2] === room && name.endsWith('.ts'))
    .sort()

/** The text between two positions, whose lines and columns count from 0. */
function textBetween(source, { start, end }) {
  const lines = source.split('\n')
  const offset = ({ line, column }) => lines.slice(0, line).join('\n').length + Math.min(line, 1) + column
  return source.slice(offset(start), offset(end))
}

/**
 * Every mutant of these rooms, and the files that hold all of them at once: `__STRYKER_ACTIVE_MUTANT__` names the one that
 * a process has.
 * @returns `{ files: [{ name, content }], mutants: [{ id, room, file, line, column, mutator, original, replacement }] }`
 */
export async function instrument(root, rooms) {
  const sources = rooms
    .flatMap((room) => filesOf(root, room))
    .map((name) => [name, readFileSync(join(root, name), 'utf8')])
  const { files, mutants } = await new Instrumenter(silent).instrument(
    sources.map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  )
  const sourceOf = new Map(sources)
  return {
    files,
    mutants: mutants.map(({ id, fileName, location, mutatorName, replacement }) => ({
      id,
      room: fileName.split('/')[2],
      file: fileName,
      line: location.start.line + 1,
      column: location.start.column + 1,
      mutator: mutatorName,
      original: textBetween(sourceOf.get(fileName), location),
      replacement,
    })),
  }
}

/** Chooses that many mutants by a hash of the seed and of what they change: the same ones as long as the code is the same. */
export function sample(mutants, size, seed) {
  const rank = ({ file, original, mutator, replacement, line, column }) =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, mutator, original, replacement, line, column]))
      .digest('hex')
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
    .sort((a, b) => Number(a.id) - Number(b.id))
}
