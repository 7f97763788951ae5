import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** The addresses that webhooks may go to: loopback and private ones. IPv4 in IPv6 notation counts as IPv4. wire: §7 "who is called" */
const nearby = new BlockList()
nearby.addSubnet('127.0.0.0', 8)
nearby.addSubnet('10.0.0.0', 8)
nearby.addSubnet('172.16.0.0', 12)
nearby.addSubnet('192.168.0.0', 16)
nearby.addAddress('::1', 'ipv6')
nearby.addSubnet('fc00::', 7, 'ipv6')

/** Instance metadata services of clouds live here. */
const metadata = new BlockList()
metadata.addSubnet('fd00:ec2::', 32, 'ipv6')

/** Settings of the emulator: hosts that may be called beside loopback and private addresses. */
export interface TargetRules {
  trust_hosts: string[]
  allow_public_webhooks: boolean
}

/** A target that may not be called, so no connection was opened. */
export class RefusedTarget extends Error {
  constructor(hostname: string, address: string) {
    const what = hostname === address ? hostname : `${hostname} (${address})`
    super(
      `${what} is neither a loopback nor a private address, so it was not called: list the host in trust_hosts, or set allow_public_webhooks`,
    )
  }
}

/** @throws RefusedTarget for an IP address that may not be called; `guardedLookup` checks host names. */
export function checkAddress(hostname: string, rules: TargetRules): void {
  const host = normalizeHost(hostname)
  if (isIP(host) && !mayBeCalled(host, rules) && !isTrusted(host, rules)) throw new RefusedTarget(host, host)
}

/** Returns the name that is looked up: those below localhost are loopback too, which not every resolver knows. RFC 6761 §6.3 */
export const lookupName = (hostname: string): string => (/\.localhost\.?$/i.test(hostname) ? 'localhost' : hostname)

/** Resolves a name for a connection, and checks each of its addresses before the connection takes one. */
export const guardedLookup =
  (rules: TargetRules): LookupFunction =>
  (hostname, options, callback) => {
    lookup(lookupName(hostname), { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const foreign = error ? undefined : addresses.find(({ address }) => !mayBeCalled(address, rules))
      if (error) callback(error, '', 0)
      else if (foreign && !isTrusted(hostname, rules)) callback(new RefusedTarget(hostname, foreign.address), '', 0)
      else if (options.all) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 0)
    })
  }

const mayBeCalled = (address: string, { allow_public_webhooks }: TargetRules) =>
  allow_public_webhooks || isNearby(address)

/** Returns true for a loopback or private address. @param address an IP address, perhaps with a zone (`fe80::1%eth0`). */
export function isNearby(address: string): boolean {
  const family = isIP(address)
  const type = family === 6 ? 'ipv6' : 'ipv4'
  return family !== 0 && nearby.check(address, type) && !metadata.check(address, type)
}

/** Returns true for a name that no public domain has: of this machine, of a container or in the local network. */
export const isLocalName = (hostname: string): boolean =>
  !hostname.includes('.') || hostname.endsWith('.localhost') || hostname === 'host.docker.internal'

/** A trusted host may be called at any address, and may be the `Host` of a request. */
export const isTrusted = (hostname: string, { trust_hosts }: Pick<TargetRules, 'trust_hosts'>): boolean =>
  trust_hosts.some((host) => normalizeHost(host) === normalizeHost(hostname))

/** Normalizes a host name for comparison: no brackets, no trailing dot, lower case. */
export const normalizeHost = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
