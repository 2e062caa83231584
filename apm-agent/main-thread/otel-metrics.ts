/** Where all versions of OpenTelemetry's API keep what is registered. */
const API = Symbol.for('opentelemetry.js.api.1')
/** A service that registers a provider while it starts has done so by then. */
const GRACE_MS = 1000

/**
 * Says once, on stderr, that metrics of OpenTelemetry's API go nowhere if a service makes some and has registered no provider
 * for them. A provider of our own would not help: the API would refuse that of the service later, without a word.
 */
export function watchMetrics(): void {
  const api = (globalThis as { [API]?: { metrics?: unknown } })[API]
  if (!api || api.metrics) return
  let isAsked = false
  const define = (property: PropertyDescriptor) =>
    Object.defineProperty(api, 'metrics', { configurable: true, enumerable: true, ...property })
  const complain = () => {
    if (!isAsked) return
    isAsked = false
    process.stderr.write(
      'apm-agent: metrics of @opentelemetry/api go nowhere; register a MeterProvider of @opentelemetry/sdk-metrics, which can export to apm-agent by OTLP\n',
    )
    define({ value: undefined, writable: true })
  }
  define({
    get() {
      if (isAsked) return
      isAsked = true
      setTimeout(complain, GRACE_MS).unref()
      process.once('exit', complain)
    },
    set(provider) {
      isAsked = false
      define({ value: provider, writable: true })
    },
  })
}
