import { once } from 'node:events'
import type { Composition } from '../app/concerns.ts'
import { composeFrom } from '../app/server/options.ts'
import { onStopRequested, runCommand } from '../lib/cli/command.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { otlpUrl } from '../lib/telemetry/otel-environment.ts'
import { stackOptions } from './options.ts'
import { type Stack, startStack } from './stack.ts'

await runCommand({
  usage: 'npm start -- [options]',
  description: `Starts the step that --step names, with all its processes. Ctrl-C stops them in order; a second Ctrl-C kills
them at once.`,
  options: stackOptions,
  async run({
    ordersPort,
    ordersLatencyMs,
    apmAgentPort,
    collectorUrl,
    exportIntervalMs,
    loggerTransportPort,
    logTargets,
    logOtlpUrl,
    load,
    scenario,
    ...app
  }) {
    const [stopping, killing] = [new AbortController(), new AbortController()]
    const stopRequested = once(stopping.signal, 'abort')
    onStopRequested(
      () => stopping.abort(),
      () => endAtOnce(killing),
    )
    const composition = composeFrom(app)
    const stack = await startStack({
      composition,
      app,
      orders: { port: ordersPort, latencyMs: ordersLatencyMs },
      apmAgent: {
        port: apmAgentPort,
        collectorUrl,
        exportIntervalMs,
      },
      loggerTransport: {
        port: loggerTransportPort,
        targets: logTargets,
        otlpUrl: checkedLogReceiver(logTargets, logOtlpUrl ?? collectorUrl),
      },
      load,
      scenario,
      echo: true,
      abort: stopping.signal,
      kill: killing.signal,
    }).catch((error: unknown) => {
      // Ctrl-C also reaches processes that are starting, and ends them. That is no error.
      if (!stopping.signal.aborted) throw error
    })
    if (!stack) return
    if (!stopping.signal.aborted) announce(stack, app.step, composition)
    const failure = await Promise.race([stopRequested.then(() => undefined), stack.failed])
    await stack.stop()
    if (failure) throw new UserError(`${failure}; the others were stopped`)
  },
})

/**
 * Checks the receiver of log lines, and returns it. Apm-agent would only pass lines on to the collector, so they go there
 * directly.
 * @throws UserError if log lines go to a receiver of OTLP, and neither an option nor the environment names one
 */
function checkedLogReceiver(targets: readonly string[], url: string | undefined): string | undefined {
  if (targets.includes('otlp') && otlpUrl('logs', url) === undefined)
    throw new UserError(
      '--log-targets otlp needs a receiver; name it with --collector-url, or with --log-otlp-url for log lines alone',
    )
  return url
}

/** Handles the second Ctrl-C: requests in flight are lost, but no process or file stays behind. */
function endAtOnce(killing: AbortController): never {
  killing.abort()
  process.stderr.write('stopped at once; requests, log lines and telemetry in flight are lost\n')
  process.exit(130)
}

/** Prints each address once: first those for operators, then the two to open in a browser. */
function announce(stack: Stack, step: string, composition: Composition): void {
  const concerns = Object.entries(composition).map(([concern, name]) => `${concern} ${name}`)
  const [app, agent] = [stack.address('app'), stack.address('apm-agent')]
  const others = stack.processes.flatMap(({ name, addresses }) =>
    Object.entries(addresses)
      .filter(([, url]) => url !== app && url !== agent)
      .map(([server, url]) => `  ${`${name} (${server})`.padEnd(23)} ${url}\n`),
  )
  const watch = agent ? `  watch ${agent}/\n` : ''
  process.stderr.write(`step ${step}: ${concerns.join(', ')}\n${others.join('')}  try ${app}/page\n${watch}`)
}
