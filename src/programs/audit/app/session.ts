import type { GuardedExchange } from '../../../foundation/http-client/guarded-client.js'
import { REQUESTS_TO_ALL } from './app-requests.js'
import { atPointer, describeResponse, matches } from './app-response.js'
import type { Browser } from './browser.js'
import { Inconclusive } from './failures.js'
import type { AuditFile } from './file.js'

/** Does what a run needs only once, by name; again only if that was rejected. */
export type Once = <T>(name: string, find: () => Promise<T>) => Promise<T>

/** Reads by `whoami` who is signed in. @param createBrowser creates a browser without cookies. */
export function createSessionReader({ whoami }: Pick<AuditFile, 'whoami'>, createBrowser: () => Browser, once: Once) {
  const shownUser = (sent: GuardedExchange): unknown =>
    matches(sent, whoami?.signed_in)
      ? (atPointer(sent.response.body, whoami?.signed_in.user ?? '') ?? undefined)
      : undefined

  /** Returns the user that the app shows without a sign-in, where it has accounts for guests. */
  async function findGuest(): Promise<unknown> {
    const visits = [createBrowser(), createBrowser()].map(({ get }) => get(whoami?.url ?? ''))
    const [first, second] = (await Promise.all(visits)).map(shownUser)
    if (String(first) === String(second)) return first
    throw new Inconclusive(
      'the page of whoami shows each browser without cookies as another user, so no sign-in can be seen in it',
    )
  }

  /** Returns the user whom a response of `whoami` shows as signed in; undefined for nobody, and for a guest. */
  async function findUser(sent: GuardedExchange): Promise<unknown> {
    const user = shownUser(sent)
    if (user === undefined) return undefined
    return String(user) === String(await once('guest', findGuest)) ? undefined : user
  }

  const isOnlySignedIn = (sent: GuardedExchange) =>
    matches(sent, whoami?.signed_in) && !matches(sent, whoami?.signed_out)

  /** Returns a browser's session, which may show no user; undefined without `whoami`. @throws Inconclusive for another response. */
  async function read(browser: Browser) {
    if (!whoami) return undefined
    const sent = await browser.get(whoami.url)
    const user = await findUser(sent)
    // A session without a user, such as one of an id_token without `sub`, unless guests have the like.
    const isSignedIn =
      user !== undefined || (isOnlySignedIn(sent) && !isOnlySignedIn(await createBrowser().get(whoami.url)))
    if (isSignedIn || matches(sent, whoami.signed_out)) return { isSignedIn, user, sent }
    const response = describeResponse(sent)
    throw new Inconclusive(`the response of whoami matches neither signed_in nor signed_out: ${response}`, { sent })
  }

  /** Reads several times in turn, since each instance of an app may respond as it knows it. @param next returns the browser of each. */
  async function readInTurn(next: () => Browser | Promise<Browser>) {
    const sessions: Awaited<ReturnType<typeof read>>[] = []
    while (sessions.length < REQUESTS_TO_ALL) sessions.push(await read(await next()))
    return sessions
  }

  return { findUser, read, readInTurn }
}
