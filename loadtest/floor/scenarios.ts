import type { ScenarioName } from '../generator/scenarios.ts'

/** The scenarios whose answers all have the same type. */
export const floorScenarios = [
  'demo',
  'hello',
  'cpu',
  'serialization',
  'log',
  'io',
  'page',
] as const satisfies readonly ScenarioName[]
export type FloorScenario = (typeof floorScenarios)[number]
