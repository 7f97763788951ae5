import { spawn } from 'node:child_process'
import { idsOf, type Tenant } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { fail, Inconclusive, pass, type Verdict } from '../verdict.js'
import { served } from './genuine.js'
import { answersAs, isOk, mustCall, probe, saidBy } from './probes.js'

export async function afterUninstall(scene: Scene): Promise<Verdict> {
  const { tenant, made } = await served(scene)
  await scene.platform.uninstall(made.installation.id)
  const mark = await scene.platform.mark()
  await scene.wait(scene.file.background)
  const probed = await probe(scene, tenant)
  await probe(scene, tenant)
  const { api, refreshes } = await scene.platform.requests(tenant, mark)
  const entries = idsOf(api, refreshes)
  const evidence = { sent: probed, seen: saidBy(probed), entries }
  if (api.length > 0) return fail(`${api.length} /v0 call(s) with a token that had ended`, evidence)
  if (refreshes.length > 0) return fail(`${refreshes.length} refresh(es) with a token that had ended`, evidence)
  if (isOk(scene, probed)) return fail('The organization is still served', evidence)
  const expected = scene.file.probe?.not_installed
  if (expected && !answersAs(probed, expected)) {
    return fail(`The probe answered ${saidBy(probed)}, not what not_installed declares`, evidence)
  }
  return pass(`Purged: the probe answers ${saidBy(probed)}, and the platform is asked for nothing`)
}

export async function afterUpgrade(scene: Scene): Promise<Verdict> {
  const { tenant, made } = await served(scene)
  await scene.platform.upgrade(made.installation.id)
  const mark = await scene.platform.mark()
  const probed = await probe(scene, tenant)
  const { api, refreshes } = await scene.platform.requests(tenant, mark)
  const refused = api.filter(({ status }) => status === 401)
  const evidence = { sent: probed, seen: saidBy(probed), entries: idsOf(api, refreshes) }
  if (refused.length > 0) return fail(`${refused.length} call(s) with a token of the old version`, evidence)
  if (refreshes.length > 0) return fail('The new token was refreshed before it was refused', evidence)
  if (!isOk(scene, probed)) return fail(`The organization is not served after the upgrade: ${saidBy(probed)}`, evidence)
  mustCall(api)
  return pass("The new version's token at once, the old one never again")
}

/** How long a restarted app may take to serve again. */
const RESTART = 45_000

export async function restarted(scene: Scene): Promise<Verdict> {
  const { tenant } = await served(scene)
  await run(scene.file.restart ?? '', scene.folder)
  const probed = await servesAgain(scene, tenant)
  if (isOk(scene, probed)) return pass('The tokens were still there')
  return fail(`After the restart the organization is not served: ${saidBy(probed)}`, { sent: probed })
}

/** The first answer after the restart, once there is one. */
async function servesAgain(scene: Scene, tenant: Tenant) {
  const deadline = performance.now() + RESTART
  for (;;) {
    await scene.wait(250)
    const probed = await probe(scene, tenant)
    if (probed.status !== null || performance.now() > deadline) return probed
  }
}

const run = (command: string, cwd: string) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn(command, { shell: true, cwd, stdio: 'ignore' })
    const late = setTimeout(() => {
      child.kill()
      reject(new Inconclusive(`the restart command has not ended after ${RESTART / 1000} s`))
    }, RESTART)
    const end = (error?: Inconclusive) => {
      clearTimeout(late)
      if (error) reject(error)
      else resolve()
    }
    child.on('error', ({ message }) => end(new Inconclusive(`the restart command cannot be run: ${message}`)))
    child.on('exit', (code) =>
      end(code === 0 ? undefined : new Inconclusive(`the restart command ended with status ${code}`)),
    )
  })
