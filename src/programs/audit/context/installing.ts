import { describeResponse, isClientError, isSuccess } from '../context/app-response.js'
import type { AuditContext } from '../context/context.js'
import { Inconclusive } from '../context/failures.js'
import { mustBeAcknowledged, type Tenant } from '../context/tenant.js'

/** Installs the app in a new organization. @throws Inconclusive when the app does not acknowledge it. */
export async function install({ platform }: Pick<AuditContext, 'platform'>): Promise<Tenant> {
  const tenant = await platform.tenant()
  mustBeAcknowledged(await tenant.install(), 'app.installed')
  return tenant
}

/** Installs the app in a new organization. @throws Inconclusive when the app does not serve it. */
export async function installAndProbe(context: Pick<AuditContext, 'platform'>): Promise<Tenant> {
  const tenant = await install(context)
  await tenant.mustServe('after an install')
  return tenant
}

/** Installs the app without telling it. @returns also the webhook that would tell it. */
export async function installWithoutWebhook({ platform }: Pick<AuditContext, 'platform'>) {
  const tenant = await platform.tenant()
  await tenant.install(false)
  const envelope = tenant.envelope()
  return { tenant, envelope, body: JSON.stringify(envelope) }
}

/** Sends the genuine webhook. @throws Inconclusive when the app does not accept it, or it has no effect. */
export async function mustAcceptGenuine(
  { attacker, file }: Pick<AuditContext, 'attacker' | 'file'>,
  tenant: Tenant,
  body: string,
): Promise<void> {
  const sent = await attacker.postSigned(body)
  if (!isSuccess(sent)) {
    throw new Inconclusive(`the app did not accept the genuine webhook: ${describeResponse(sent)}`, { sent })
  }
  if (file.probe) await tenant.mustServe('after the genuine webhook')
}

/**
 * Control for checks that expect a 2xx: an app that also accepts forged webhooks proves nothing. Sent once in a run.
 * @throws Inconclusive when the app accepts forgeries.
 */
export async function mustRejectForgeries({ attacker, platform, once }: AuditContext): Promise<void> {
  const areRejected = await once('rejects forgeries', async () => {
    const { body } = await installWithoutWebhook({ platform })
    const responses = [
      await attacker.post({ body }),
      await attacker.post({ body, signature: attacker.sign(body, 'the secret of somebody else') }),
    ]
    return responses.some(isClientError)
  })
  if (areRejected) return
  throw new Inconclusive(
    'the app does not reject forged webhooks with a 4xx, so accepting a genuine one proves nothing',
  )
}
