import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../harness/command-line.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

interface Step {
  id?: string
  uses?: string
  run?: string
  with?: Record<string, string>
}

interface Job {
  needs?: string | string[]
  strategy?: { matrix: Record<string, string[]> }
  permissions?: Record<string, string>
  steps: Step[]
}

interface Workflow {
  path: string
  text: string
  permissions?: Record<string, string>
  jobs: Record<string, Job>
}

async function workflowsIn(folder: string): Promise<Workflow[]> {
  const names = await readdir(join(ROOT, folder))
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(ROOT, folder, name), 'utf8')
      return { path: `${folder}/${name}`, text, ...parse(text) }
    }),
  )
}

const own = await workflowsIn('.github/workflows')
const examples = await workflowsIn('docs/examples/workflows')
const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
const action = parse(await readFile(join(ROOT, 'action.yml'), 'utf8'))

/** `steps.build.outputs.digest` of every `${{ … }}` within a value. */
const references = (value: unknown) =>
  [...JSON.stringify(value).matchAll(/\$\{\{ (.*?) \}\}/g)].flatMap(([, expression]) =>
    [...(expression as string).matchAll(/[a-z]+(?:\.\w+)+/g)].map(([path]) => path.split('.')),
  )

describe.for([...own, ...examples])('$path', ({ text, jobs }) => {
  test('refers to jobs, steps and matrix values that are there', () => {
    expect(Object.keys(jobs).length).toBeGreaterThan(0)
    for (const job of Object.values(jobs)) {
      for (const needed of [job.needs ?? []].flat()) expect(Object.keys(jobs)).toContain(needed)
      for (const [context, name] of references(job)) {
        if (context === 'matrix') expect(Object.keys(job.strategy?.matrix ?? {})).toContain(name)
      }
      for (const [index, step] of job.steps.entries()) {
        const before = job.steps.slice(0, index).map(({ id }) => id)
        for (const [context, name] of references(step)) if (context === 'steps') expect(before).toContain(name)
      }
    }
  })

  test('calls scripts of the package, and gives the action inputs that it has', () => {
    for (const [, script] of text.matchAll(/npm run ([\w:-]+)/g))
      expect(manifest.scripts).toHaveProperty([script ?? ''])
    for (const { uses, with: given } of Object.values(jobs).flatMap(({ steps }) => steps)) {
      if (!uses?.startsWith('./') && !uses?.startsWith('mockademy/')) continue
      for (const input of Object.keys(given ?? {})) expect(Object.keys(action.inputs)).toContain(input)
    }
  })
})

describe("the repository's own workflows", () => {
  test('may read the repository and no more, unless a job says so', () => {
    for (const { path, permissions } of own) expect(permissions, path).toEqual({ contents: 'read' })
  })

  test('name actions of others by commit, with the version beside it', () => {
    for (const { text, path } of own) {
      const used = text.split('\n').filter((line) => /\buses: (?!\.\/)/.test(line))
      for (const line of used) expect(line, path).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    }
  })

  test('test every supported version of Node.js on every system', () => {
    const ci = own.find(({ path }) => path.endsWith('ci.yml')) as Workflow
    expect(ci.jobs.test?.strategy?.matrix).toEqual({
      os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
      node: ['20.19', '22', '24', '26'],
    })
    expect(manifest.engines.node).toBe('>=20.19')
    expect(ci.jobs.test?.steps.map(({ run }) => run)).toContain('npm run check')
  })

  test('publish package and image with provenance, after the checks', () => {
    const release = own.find(({ path }) => path.endsWith('release.yml')) as Workflow
    const { package: npm, image } = release.jobs
    expect(npm).toMatchObject({ needs: 'check', permissions: { 'id-token': 'write' } })
    expect(npm?.steps.at(-1)?.run).toContain('npm publish --provenance')
    expect(image).toMatchObject({ needs: 'check', permissions: { attestations: 'write', 'id-token': 'write' } })
    const build = image?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))
    expect(build?.with).toMatchObject({ platforms: 'linux/amd64,linux/arm64', provenance: 'mode=max', push: true })
    expect(image?.steps.at(-1)?.uses).toMatch(/^actions\/attest@/)
  })
})

describe('the release workflow', () => {
  const release = own.find(({ path }) => path.endsWith('release.yml')) as Workflow
  const script = release.jobs.check?.steps.find(({ run }) => run?.includes('package-lock.json'))?.run ?? ''

  test.for([
    ['sha512-x', 0],
    [undefined, 1],
  ] as const)('takes a lock file with the integrity %s with status %i', async ([integrity, expected]) => {
    const folder = temporaryFolder()
    const packages = { '': { name: 'x' }, 'node_modules/other': { version: '1.0.0', integrity } }
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
    const { status, stderr } = spawnSync('bash', ['-e', '-c', script], { cwd: folder, encoding: 'utf8' })
    expect(status, stderr).toBe(expected)
    if (expected === 1) expect(stderr).toContain('no integrity for node_modules/other')
  })

  test('leaves the registry to what npm knows', () => {
    expect(release.text).not.toContain('registry-url')
  })
})

test('the examples use this version of the action and the image', () => {
  const [major, minor] = manifest.version.split('.')
  const named = examples.flatMap(({ text }) => text.match(/mockademy\/mockademy[@:]\S+/g) ?? [])
  expect([...new Set(named)].sort()).toEqual([
    `mockademy/mockademy:${major}.${minor}`,
    `mockademy/mockademy@v${manifest.version}`,
  ])
})
