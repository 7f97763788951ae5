import type { CallResult } from '../../../control/admin/calls.js'

// Results of control calls that several files name. control-api: Shapes

export type World = CallResult<'world'>
export type Clock = CallResult<'clock'>
export type Organization = CallResult<'getOrganization'>
export type User = CallResult<'createUser'>
export type App = CallResult<'getApp'>
export type Installation = CallResult<'getInstallation'>
export type InstallResult = CallResult<'install'>
export type Token = CallResult<'listTokens'>[number]
export type Session = CallResult<'listSessions'>[number]
export type SignedIn = CallResult<'signIn'>
export type SilentAuth = CallResult<'setSilentAuth'>
export type Fault = CallResult<'addFault'>
export type Delivery = CallResult<'getDelivery'>
export type Entry = CallResult<'listRequests'>[number]
export type Finding = CallResult<'listFindings'>[number]
