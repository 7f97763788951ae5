// Writes the generated parts of the pages in docs/, between the two comments that mark them, for `npm run docs`.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const printed = execFileSync(process.execPath, ['.build/reference.js'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
for (const [file, part] of Object.entries(JSON.parse(printed))) {
  const page = readFileSync(file, 'utf8')
  const marked = /(<!-- generated .*-->\n)[\s\S]*?(\n<!-- end of what is generated -->)/
  if (!marked.test(page)) throw new Error(`${file} does not say where its generated part stands`)
  writeFileSync(
    file,
    page.replace(marked, (_, begin, end) => `${begin}\n${part}\n${end}`),
  )
}
