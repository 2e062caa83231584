import type { Payload } from '../../orders/order.ts'
import { expectedCpu, expectedDemo, expectedHello, expectedLog, expectedSerialization } from './expected.ts'
import { expectedPage, isRightPage } from './expected-page.ts'

export const FIRST_SEED = 1

/** The requests of a load, with their right answers. */
export interface Scenario {
  /** Number of different requests. They are sent in turn, so that no two equal requests run at once. */
  readonly seeds: number
  path(seed: number): string
  /** The right body, byte for byte. */
  body(seed: number): string
  /** Whether a body that is not byte for byte the right one is right all the same. */
  isRight?(received: string, right: string): boolean
}

const demo: Scenario = {
  seeds: 8192,
  path: seed => `/demo?seed=${seed}`,
  body: expectedDemo,
}

/** The load generator keeps each page, 100 KB, in memory, so there are only somewhat more than connections by default. */
const PAGES = 128
const page: Scenario = {
  seeds: PAGES,
  path: seed => `/page?seed=${seed}`,
  body: expectedPage,
  isRight: isRightPage,
}

const cpu: Scenario = {
  seeds: 8192,
  path: seed => `/cpu?size=13&seed=${seed}`,
  body: seed => expectedCpu(13, seed),
}

const log: Scenario = { seeds: 1, path: () => '/log?count=10', body: () => expectedLog(10) }

const serialization = (orders: number, payload: Payload, seeds: number): Scenario => ({
  seeds,
  path: seed => `/serialization?orders=${orders}&payload=${payload}&seed=${seed}`,
  body: seed => expectedSerialization(orders, payload, seed),
})

/** A mix in which every `period`th request is a `/page` and all others are of `base`. */
function withPages(base: Scenario, period: number, seeds: number): Scenario {
  const choose = (what: 'path' | 'body') => (seed: number) =>
    seed % period === 0 ? page[what](seed % (PAGES * period)) : base[what](seed)
  return {
    seeds,
    path: choose('path'),
    body: choose('body'),
    isRight: isRightPage,
  }
}

export const scenarios = {
  hello: { seeds: 1, path: () => '/hello', body: expectedHello },
  cpu,
  serialization: serialization(15, 'mixed', 2048),
  /** So many orders that decoding and encoding are most of the request. */
  numbers: serialization(1000, 'numbers', 256),
  log,
  demo,
  page,
  /** Four `/demo` to one `/page`. */
  mix: withPages(demo, 5, 5120),
  /** `/cpu` and `/page` in turn: the heaviest load for other requests to be served beside. */
  heavy: withPages(cpu, 2, 4096),
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios
export const scenarioNames = Object.keys(scenarios) as ScenarioName[]
