import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cleanEnvironment, ROOT } from '../harness/command-line.js'

const FEW = 10
const MANY = 150

test('the end of a sandbox does nothing once for each of the others', async () => {
  const script = join(ROOT, 'test/properties/sandbox-ends.js')
  const options = { cwd: ROOT, env: cleanEnvironment(ROOT), maxBuffer: 2 ** 24 }
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(FEW), String(MANY)], options)
  const growth = JSON.parse(stdout) as { part: string; grown: number }[]
  expect(growth.length).toBeGreaterThan(200)
  expect(growth.filter(({ grown }) => grown >= MANY - FEW)).toEqual([])
})
