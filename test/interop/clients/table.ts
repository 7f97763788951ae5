import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../bench/processes.js'
import { forgeries } from './forgeries.js'

const PAGE = join(ROOT, 'docs/clients.md')

export interface Row {
  /** The name of the client in `clients.ts`. */
  client: string
  /** The name of its page in docs/clients/. */
  page: string
  version: string
  /** The day of the trial. */
  tried: string
  /** The names of the forgeries with which it signed somebody in, in their order. */
  accepted: string[]
}

/** `| [openid-client](clients/openid-client.md) | 6.8.9, 2026-11-21 | none | future_iat, no_kid |` */
const ROW = /^\| \[(.+?)\]\(clients\/([\w-]+)\.md\) \| (\S+), (\d{4}-\d\d-\d\d) \| (.+) \|$/gm

/** The table of docs/clients.md, read back. */
export function readRows(): Row[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(ROW)].map(
    ([, client = '', page = '', version = '', tried = '', lists = '']) => {
      const named = new Set([...lists.matchAll(/`(\w+)`/g)].map(([, name]) => name))
      return { client, page, version, tried, accepted: Object.keys(forgeries).filter((name) => named.has(name)) }
    },
  )
}

/** Writes rows into the table of docs/clients.md, in the place of those of the same clients, in the order of `names`. */
export function writeRows(rows: Row[], names: string[]): void {
  const byName = new Map([...readRows(), ...rows].map((row) => [row.client, row]))
  const lines = names.flatMap((name) => byName.get(name) ?? []).map(lineOf)
  const text = readFileSync(PAGE, 'utf8')
  const marked = /(<!-- made by `npm run clients` -->\n)[\s\S]*?(<!-- end of what is made -->)/
  if (!marked.test(text)) throw new Error(`${PAGE} does not say where the table stands`)
  const head = [
    '| client | tried | signs in, though it must or should not | signs in, as it may |',
    '| --- | --- | --- | --- |',
  ]
  writeFileSync(
    PAGE,
    text.replace(marked, (_, begin, end) => `${begin}${[...head, ...lines].join('\n')}\n${end}`),
  )
}

function lineOf({ client, page, version, tried, accepted }: Row): string {
  const isAllowed = (name: string) => forgeries[name]?.refusing === 'MAY'
  const listed = (names: string[]) => names.map((name) => `\`${name}\``).join(', ') || 'none'
  const against = listed(accepted.filter((name) => !isAllowed(name)))
  return `| [${client}](clients/${page}.md) | ${version}, ${tried} | ${against} | ${listed(accepted.filter(isAllowed))} |`
}
