import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { describe, expect } from 'vitest'
import { isMissing } from '../harness/browser-test.js'
import { chromiumPath } from '../harness/chromium.js'
import { test as base, ROOT } from '../harness/command-line.js'
import { createStage, type Failure, signInFailures, webhookFailures } from './failing-apps.js'

// The page is a snapshot: `npx vitest run test/docs/when-something-fails.test.ts -u` writes it anew.

const PAGE = join(ROOT, 'docs', 'when-something-fails.md')

const world = {
  users: [{ id: 'ada', email: 'ada@acme.test' }],
  organizations: [{ slug: 'acme', name: 'Acme', members: [{ user: 'ada', role: 'owner' }] }],
}

/** Text that each place shows of a failure. */
interface Seen {
  journal: string
  terminal: string
  console: string
  finding: string
}

interface Emulator {
  url: string
  /** The lines of its log, one for each entry of the journal. */
  log: () => string[]
  /** The notes in the details of an entry in the console, of which so many are findings. */
  notes: (entry: number, findings: number) => Promise<string>
}

const test = base.extend<{ emulator: Emulator }>({
  emulator: async ({ folder, start }, use) => {
    await writeFile(join(folder, 'world.json'), JSON.stringify(world))
    const flags = ['--seed', 'failures', '--now', '2026-01-01T12:00:00Z', '--store', 'memory', '--port', '0']
    const { url, stdout } = await start(['--fixtures', 'world.json', '--log', ...flags])
    const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
    const page = await browser.newPage()
    await page.goto(`${url}/_console`)
    await use({
      url,
      log: () =>
        stdout()
          .split('\n')
          .filter((line) => /^\d\d:\d\d:\d\d (->|<-)/.test(line)),
      async notes(entry, findings) {
        await page.goto(`${url}/_console#/activity/${entry}`)
        const detail = page.getByRole('complementary')
        await detail.getByText('Copy as scenario step').waitFor()
        await detail.locator('dd code', { hasText: new RegExp(`^${entry}$`) }).waitFor()
        if (findings > 0)
          await detail
            .locator('.note b', { hasText: /^Finding$/ })
            .nth(findings - 1)
            .waitFor()
        return (await detail.locator('.note').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()).join(' ')
      },
    })
    await browser.close()
  },
})

/** Causes a failure, and looks at it in each place. */
async function look(emulator: Emulator, { cause, path }: Failure): Promise<Seen> {
  const stage = createStage(emulator.url)
  await cause(stage)
  const findings = (await stage.call('/_admin/findings')).body.data as { rule: string; message: string }[]
  const { data } = (await stage.call(`/_admin/requests?${path ? `path=${path}` : 'surface=webhook'}`)).body
  const { id, reason, warnings, findings: rules = [] } = data.at(-1)
  await expect.poll(() => emulator.log().length).toBeGreaterThanOrEqual(id)
  const notes = await emulator.notes(id, rules.length)
  const cited = findings.filter(({ rule }) => rules.includes(rule))
  await stage.end()
  const [warning] = warnings as { message: string }[]
  return {
    journal: reason ?? (warning ? `warning: ${warning.message}` : ''),
    terminal: emulator.log()[id - 1] ?? '',
    console: notes,
    finding: cited.map(({ rule, message }) => `\`${rule}\`: ${message}`).join(' '),
  }
}

/** Ports and measured times differ from run to run; the default address needs no flag. */
const steady = (text: string) =>
  text
    .replace(/ --url \S+/, '')
    .replace(/(\blocalhost|\b127\.0\.0\.1|\[::1\]):\d+/g, '$1:3000')
    .replace(/ \d+ ms(?= |$)/, ' 5 ms')
    // Time since the page's frozen clock.
    .replace(/\d+ days in the past/, '30 days in the past')

const cell = (text: string) => (text === '' ? '–' : steady(text).replaceAll('|', '\\|'))

const row = (place: string, text: string) => `| ${place} | ${cell(text)} |`

/** The journal's text in the other places is shown once. */
const section = ({ title, what }: Failure, { journal, ...others }: Seen) => {
  const reason = steady(journal).replace(/^warning: /, '')
  const messages = others.finding
    .split(/ ?`\w+`: /)
    .filter(Boolean)
    .map(steady)
  const brief = (text: string) =>
    [...messages, reason].filter(Boolean).reduce((left, known) => left.replaceAll(known, '…'), steady(text))
  return [
    `### ${title}`,
    what,
    [
      '| where | message |',
      '| --- | --- |',
      row('journal', journal),
      row('terminal', `\`${brief(others.terminal)}\``),
      row('console', brief(others.console)),
      row('finding', reason === '' ? others.finding : steady(others.finding).replaceAll(reason, '…')),
    ].join('\n'),
  ].join('\n\n')
}

describe.skipIf(isMissing)('docs/when-something-fails.md', () => {
  test('shows each failure as journal, terminal, console and findings do', async ({ emulator }) => {
    const parts: string[] = []
    for (const [heading, failures] of [
      ['## Webhooks', webhookFailures],
      ['## Sign-in', signInFailures],
    ] as const) {
      parts.push(heading)
      for (const failure of failures) {
        const seen = await look(emulator, failure)
        const all = [seen.journal, seen.finding].join('\n')
        expect(all, failure.title).toMatch(failure.says)
        // The page in the browser and the terminal say the same as the journal.
        const reason = seen.journal.replace(/^warning: /, '')
        expect(seen.console, failure.title).toContain(reason)
        expect(seen.terminal, failure.title).toContain(reason)
        parts.push(section(failure, seen))
      }
    }
    const page = readFileSync(PAGE, 'utf8')
    const [before, , after] = page.split(/(?<=<!-- made by .*-->\n)([\s\S]*)(?=<!-- end of what is made -->)/)
    await expect(`${before}\n${parts.join('\n\n')}\n\n${after}`).toMatchFileSnapshot(PAGE)
  })
})
