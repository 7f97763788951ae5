import type { JournalEntry } from '../../emulator/world/exchange.js'
import type { RecordOf } from '../../foundation/store/kind.js'
import { type SilentOutcome, silentOutcomes } from '../../platform/oauth/silent-auth.js'
import { kidOf } from '../findings/judge-keys.js'
import { Recent } from '../findings/recent.js'
import { columnOf, isChanged, type Meet, type MeteredWorld } from './meter.js'

/** Counts how sign-ins end. coverage: group `sign-in` */
export function meetSignIn(world: MeteredWorld) {
  /** Codes by whether a silent request got them. */
  const issued = new Recent<string, { isSilent: boolean }>()
  /** Keyed by app: its first organization, and the key of its last id_token. */
  const signIns = new Recent<string, { organization: string; kid: string | undefined }>()
  /** Apps that have not met it since a session was ended. */
  const signedOut = new Set<string>()

  const compareWithEarlier = ({ app, organization }: RecordOf<'codes'>, kid: string | undefined, meet: Meet) => {
    const before = signIns.get(app) ?? { organization, kid }
    if (before.organization !== organization) meet('sign-in', 'sign-in', 'other-organization')
    if (before.kid !== undefined && kid !== undefined && before.kid !== kid) meet('sign-in', 'sign-in', 'keys-rotated')
    signIns.set(app, { organization: before.organization, kid: kid ?? before.kid })
  }

  return {
    /** A redirect of the authorization endpoint, or of the consent page. */
    redirected(entry: JournalEntry, meet: Meet): void {
      const { search, identity } = entry
      const query = new URLSearchParams(search)
      const app = identity.app ?? world.store.apps.by('client_id', query.get('client_id') ?? '')?.id
      if (app === undefined) return
      if (entry.operation === 'authorize' && identity.user === undefined && signedOut.delete(app))
        meet('sign-in', 'sign-in', 'session-ended', app)
      const response = authorizationResponseIn(entry, query.get('redirect_uri'))
      if (!response) return
      const isSilent = query.get('prompt') === 'none'
      const state = response.get('state')
      if (state !== null && state !== query.get('state')) {
        meet('sign-in', 'sign-in', 'state-wrong', app)
        return
      }
      const [code, error] = [response.get('code'), response.get('error')]
      if (code) issued.set(code, { isSilent })
      if (error === 'access_denied') meet('sign-in', 'sign-in', 'denied', app)
      if (isSilent && Object.hasOwn(silentOutcomes, error ?? ''))
        meet('sign-in', 'silent', columnOf(error as SilentOutcome), app)
    },

    /** A request to the token endpoint. */
    redeemed(entry: JournalEntry, meet: Meet): void {
      const form = new URLSearchParams(entry.request.body?.toString() ?? '')
      const secret = form.get('grant_type') === 'authorization_code' ? form.get('code') : null
      const code = world.store.codes.by('secret', secret ?? '')
      if (!code || entry.status !== 200 || entry.broken) return
      const fault = world.store.faults.get(entry.notes.fault ?? '')
      if (fault?.match.surface === 'id_token') {
        if (typeof fault.effect === 'string') meet('sign-in', 'id_token', columnOf(fault.effect))
        return
      }
      if (isChanged(entry)) return
      meet('sign-in', issued.get(code.secret)?.isSilent ? 'silent' : 'sign-in', 'done')
      compareWithEarlier(code, keyIn(entry), meet)
    },

    sessionEnded(): void {
      for (const app of signIns.keys()) signedOut.add(app)
    },
  }
}

function authorizationResponseIn({ response }: JournalEntry, target: string | null): URLSearchParams | undefined {
  const location = String(response.headers.location ?? '')
  const isAtTarget = target !== null && location.startsWith(target) && URL.canParse(location)
  return isAtTarget ? new URL(location).searchParams : undefined
}

/** Returns the key id of the id_token in a token response. */
const keyIn = ({ response }: JournalEntry): string | undefined =>
  kidOf(/"id_token":"([\w.-]+)/.exec(response.body?.toString() ?? '')?.[1] ?? '')
