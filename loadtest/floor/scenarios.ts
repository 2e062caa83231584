import type { ScenarioName } from '../generator/scenarios.ts'

/** The scenarios whose answers all have the same headers. Those of a page depend on the client. */
export const floorScenarios = [
  'demo',
  'hello',
  'cpu',
  'serialization',
  'log',
  'io',
] as const satisfies readonly ScenarioName[]
