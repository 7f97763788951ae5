import type { Admin } from '../../../control/client/connect.js'

type Result<M extends keyof Admin> = Awaited<ReturnType<Admin[M]>>
type Item<M extends keyof Admin> = Result<M> extends (infer T)[] ? T : never

/** The control API's own shapes, as its typed client has them. control-api: Shapes */
export type World = Result<'world'>
export type Clock = Result<'clock'>
export type Snapshot = Item<'listSnapshots'>
export type Organization = Item<'listOrganizations'>
export type User = Item<'listUsers'>
export type App = Item<'listApps'>
export type Installation = Item<'listInstallations'>
export type InstallResult = Result<'install'>
export type Token = Item<'listTokens'>
export type Session = Item<'listSessions'>
export type SignedIn = Result<'signIn'>
export type SilentAuth = Item<'listSilentAuth'>
export type Fault = Item<'listFaults'>
export type Delivery = Item<'listDeliveries'>
export type Entry = Item<'listRequests'>
export type WorldDocument = Result<'getState'>

/** A list on the wire. */
export interface List<T> {
  data: T[]
}
