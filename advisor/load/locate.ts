import { type Address, isListenedOn, listeningAt } from '../process/proc.ts'

/** Addresses that stand for all others of the machine. */
const ANY = new Set(['0.0.0.0', '::'])

/**
 * The origin of a URL at the address on which the service listens. If that is another one than the user's URL, a line says so.
 * @param address undefined if it is not known
 */
export function locate(url: URL, address: Address | undefined, isOfUser = true): string {
  if (!address) return url.origin
  const { host, port } = address
  const isSameHost = ANY.has(host) || url.hostname === hostOf(address)
  const isSamePort = portOf(url) === port
  if (isSamePort && isSameHost) return url.origin
  const found = new URL(url.origin)
  found.port = String(port)
  if (!isSameHost) found.hostname = hostOf(address)
  // A name such as localhost may stand for one of 127.0.0.1 and ::1 alone.
  const isSame = isSamePort && url.hostname === 'localhost'
  if (isOfUser && !isSame)
    process.stderr.write(`it listens on ${found.host}, not on ${url.host}: that is loaded instead\n`)
  return found.origin
}

/** The port of a URL, which may be that of its protocol. */
export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

const hostOf = ({ host }: Address) => (host.includes(':') ? `[${host}]` : host)

/** Where a service that runs listens, if that is one address alone, and nobody listens where the URL says. */
export function listensAt(pid: number, url: URL): Address | undefined {
  const addresses = listeningAt(pid) ?? []
  const own = addresses.find(({ port }) => port === portOf(url))
  if (own || isListenedOn(portOf(url))) return own
  return addresses.length === 1 ? addresses[0] : undefined
}
