import { printable } from '../lib/cli/terminal.ts'
import { otlpUrl, type Signal, withoutCredentials } from '../lib/telemetry/otel-environment.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The URLs of the collector by signal; undefined for a signal that is not exported. */
export type CollectorUrls = Readonly<Partial<Record<Signal, string | undefined>>>

/**
 * Reads where the collector is: from the option, or from the environment. A URL that leads to apm-agent itself is
 * ignored with a line on stderr, because a shell may name this receiver for other programs.
 * @param host and `port`: the address on which apm-agent listens
 */
export function readCollectorUrls(baseUrl: string | undefined, host: string, port: number): CollectorUrls {
  const read = (signal: Signal) => {
    const url = otlpUrl(signal, baseUrl)
    if (!url || !isOwn(url, host, port)) return url
    process.stderr.write(
      `warning: ${printable(withoutCredentials(url))} is apm-agent itself, so ${signal} are not exported there\n`,
    )
    return undefined
  }
  return { traces: read('traces'), metrics: read('metrics'), logs: read('logs') }
}

function isOwn(url: string, host: string, port: number): boolean {
  const named = URL.parse(url)
  return named?.port === String(port) && [...LOOPBACK, host].includes(named.hostname)
}
