import { BlockList, isIP } from 'node:net'

/** Where webhooks may go: loopback and private addresses. IPv4 in IPv6 notation is judged as IPv4. wire: §7 "who is called" */
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

/** @param address an IP address, perhaps with a zone (`fe80::1%eth0`). */
export function isNearby(address: string): boolean {
  const bare = address.split('%', 1)[0] as string
  const family = isIP(bare)
  const type = family === 6 ? 'ipv6' : 'ipv4'
  return family !== 0 && nearby.check(bare, type) && !metadata.check(bare, type)
}

/** A host name as it is compared: without brackets, trailing dot and capitals. */
export const plainHost = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

interface TargetRules {
  trust_hosts: string[]
  allow_public_webhooks: boolean
}

/** Whether a host is called whatever it resolves to. */
export const isTrusted = (hostname: string, { trust_hosts, allow_public_webhooks }: TargetRules): boolean =>
  allow_public_webhooks || trust_hosts.some((host) => plainHost(host) === plainHost(hostname))

/** The error of a delivery whose target is not called. */
export const refusedTarget = (hostname: string, address: string): string => {
  const what = hostname === address ? hostname : `${hostname} (${address})`
  return `${what} is neither a loopback nor a private address, so it was not called: list the host in trust_hosts, or set allow_public_webhooks`
}
