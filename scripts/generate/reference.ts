import { readFileSync, writeFileSync } from 'node:fs'
import { auditReference } from './reference/audit-reference.js'
import { checksReference } from './reference/checks-reference.js'
import { commandReference } from './reference/command-reference.js'
import { controlReference } from './reference/control-reference.js'
import { libertiesReference } from './reference/liberties-reference.js'
import { settingsReference } from './reference/settings-reference.js'

// Prints the generated part of each page that has one, by its file; with `--write`, puts it between the two comments that
// mark its place (`npm run docs`). It is made of the tables and schemas that the program itself goes by.

const parts = {
  'docs/audit.md': auditReference(),
  'docs/checks.md': checksReference(),
  'docs/control-api.md': await controlReference(),
  'docs/settings.md': settingsReference(),
  'docs/liberties.md': libertiesReference(),
  'docs/commands.md': await commandReference(),
}

if (process.argv.includes('--write')) {
  for (const [file, part] of Object.entries(parts)) {
    const page = readFileSync(file, 'utf8')
    const marked = /(<!-- generated .*-->\n)[\s\S]*?(\n<!-- end of what is generated -->)/
    if (!marked.test(page)) throw new Error(`${file} does not say where its generated part stands`)
    writeFileSync(
      file,
      page.replace(marked, (_, begin: string, end: string) => `${begin}\n${part}\n${end}`),
    )
  }
} else process.stdout.write(JSON.stringify(parts))
