import type { MetricPoint } from '../../apm-agent/protocol.ts'
import { type CircuitBreaker, circuitStates } from './circuit-breaker.ts'

/** The state of each circuit breaker, by the operation that it guards. */
export const circuitPoints = (circuits: Readonly<Record<string, CircuitBreaker>>): MetricPoint[] =>
  Object.entries(circuits).map(([operation, { state }]) => ({
    signal: 'app.upstream.circuit',
    value: circuitStates.indexOf(state),
    attributes: { 'app.upstream.operation': operation },
  }))
