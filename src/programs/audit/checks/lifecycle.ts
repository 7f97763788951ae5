import { spawn } from 'node:child_process'
import { idsOf, type Tenant } from '../actors/platform.js'
import type { Scene } from '../scene.js'
import { counted, fail, Inconclusive, pass, type Verdict } from '../verdict.js'
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
  if (api.length > 0)
    return fail(`The app called /v0 with a revoked token (${counted(api.length, 'request')})`, evidence)
  if (refreshes.length > 0)
    return fail(`The app refreshed with a revoked token (${counted(refreshes.length, 'request')})`, evidence)
  if (isOk(scene, probed)) return fail('The app still serves the organization', evidence)
  const expected = scene.file.probe?.not_installed
  if (expected && !answersAs(probed, expected)) {
    return fail(`The response of the probe does not match not_installed: ${saidBy(probed)}`, evidence)
  }
  return pass(`Purged: the probe returns ${saidBy(probed)}, and the app sends nothing to the platform`)
}

export async function afterUpgrade(scene: Scene): Promise<Verdict> {
  const { tenant, made } = await served(scene)
  await scene.platform.upgrade(made.installation.id)
  const mark = await scene.platform.mark()
  const probed = await probe(scene, tenant)
  const { api, refreshes } = await scene.platform.requests(tenant, mark)
  const refused = api.filter(({ status }) => status === 401)
  const evidence = { sent: probed, seen: saidBy(probed), entries: idsOf(api, refreshes) }
  if (refused.length > 0)
    return fail(`The app used a token of the old version (${counted(refused.length, 'request')})`, evidence)
  if (refreshes.length > 0) return fail('The app refreshed the new token before it got a 401', evidence)
  if (!isOk(scene, probed))
    return fail(`The app does not serve the organization after the upgrade: ${saidBy(probed)}`, evidence)
  mustCall(api)
  return pass('The app used the new token at once, and the old one never again')
}

/** How long a restarted app may take to serve again. */
const RESTART = 45_000

export async function restarted(scene: Scene): Promise<Verdict> {
  const { tenant } = await served(scene)
  await run(scene.file.restart ?? '', scene.folder)
  const probed = await servesAgain(scene, tenant)
  if (isOk(scene, probed)) return pass('The tokens survived the restart')
  return fail(`The app does not serve the organization after the restart: ${saidBy(probed)}`, { sent: probed })
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
      reject(new Inconclusive(`the restart command did not end within ${RESTART / 1000} s`))
    }, RESTART)
    const end = (error?: Inconclusive) => {
      clearTimeout(late)
      if (error) reject(error)
      else resolve()
    }
    child.on('error', ({ message }) => end(new Inconclusive(`the restart command could not be run: ${message}`)))
    child.on('exit', (code) =>
      end(code === 0 ? undefined : new Inconclusive(`the restart command exited with status ${code}`)),
    )
  })
