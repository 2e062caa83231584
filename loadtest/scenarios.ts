import {
  expectedCpu,
  expectedDemo,
  expectedHello,
  expectedIo,
  expectedLog,
  expectedSerialization,
} from './expected.ts'

/** What the load asks for. */
export interface Scenario {
  /** How many requests differ; they are asked for in turn, so that no two that run at once are alike. */
  readonly seeds: number
  path(seed: number): string
  /** The right body, byte for byte. */
  body(seed: number): string
}

export const scenarios = {
  hello: { seeds: 1, path: () => '/hello', body: expectedHello },
  cpu: { seeds: 8192, path: seed => `/cpu?size=13&seed=${seed}`, body: seed => expectedCpu(13, seed) },
  serialization: {
    seeds: 2048,
    path: seed => `/serialization?orders=15&payload=mixed&seed=${seed}`,
    body: seed => expectedSerialization(15, 'mixed', seed),
  },
  log: { seeds: 1, path: () => '/log?count=10', body: () => expectedLog(10) },
  io: { seeds: 2048, path: seed => `/io?seed=${seed}`, body: expectedIo },
  demo: { seeds: 8192, path: seed => `/demo?seed=${seed}`, body: expectedDemo },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios
export const scenarioNames = Object.keys(scenarios) as ScenarioName[]
