import type { Verdict } from '../lib/verdict.ts'
import type { StreamMessage, Threads } from './live-messages.ts'

/** A step as the stage shows it. */
export interface StageStep {
  readonly number: number
  readonly name: string
  /** The concern that the step moves, and its implementations before and after; null for the first step. */
  readonly move: { readonly concern: string; readonly from: string; readonly to: string } | null
  /** Where the main thread's time goes by the published runs, for each scenario that has a profile of the step. */
  readonly spectra: Readonly<Record<string, Spectrum>>
}

/** The shares are of a profile, and the cost is of samples without a profiler, which costs time, too. */
export interface Spectrum {
  /** The date of the run. */
  readonly date: string
  /** CPU microseconds of the main thread per good answer. */
  readonly costMicros: number
  readonly slices: readonly Slice[]
}

/** A concern, or other work of the main thread, with its share of the time. */
export interface Slice {
  readonly slice: string
  readonly share: number
  readonly color: string
}

/** The figures of the stage, see `metrics.ts`. */
export type MetricId = 'cost' | 'busy' | 'goodput' | 'latency'

/** A value over an earlier one, by the blocks so far. */
export interface Change {
  /** Null while either side has no block. */
  readonly ratio: number | null
  /** Null while there are too few blocks to tell. */
  readonly ci95: readonly [number, number] | null
  readonly verdict: Verdict
}

/** How a step compares with the step before it on the ladder. */
export interface Comparison {
  readonly step: number
  /** Blocks of this step that count. */
  readonly blocks: number
  /** Medians of the seconds; null without any. */
  readonly medians: Readonly<Record<MetricId, number | null>>
  /** Main-thread cost over that of the step before. */
  readonly cost: Change
  /** The change of the cost from the first half of the blocks to the second, 0.05 for 5 %; null if none is seen. */
  readonly drift: number | null
}

/** How the step that is shown compares with the step that was shown before it. */
export interface NowAndBefore {
  readonly before: number
  readonly changes: Readonly<Record<MetricId, Change>>
}

export interface FaultSwitch {
  readonly name: string
  readonly help: string
  readonly isOn: boolean
}

/** What each step serves on more cores, by a published run. */
export interface MoreCores {
  readonly cores: number
  /** The date of the run. */
  readonly date: string
  /** Good answers a second; times: over those of the first step. */
  readonly steps: readonly { readonly number: number; readonly goodput: number; readonly times: number }[]
  /** The requests a second of the talk of 2018, over those of its first step. */
  readonly talk: readonly number[]
}

/** The state of the stage. Only the server changes it; pages show it as it is. */
export interface StageState {
  /** The step that serves; it changes once the next app has taken over. */
  readonly step: number
  /** The step whose app is starting; null if none is. */
  readonly next: number | null
  /** Why the last flip failed; empty if it did not. */
  readonly failure: string
  /** The walk through all steps: null if there is none. */
  readonly tour: { readonly isPaused: boolean } | null
  /** What the load asks for. */
  readonly scenario: string
  /** What the app does with requests beyond its capacity: one of the setting's `overloads`. */
  readonly overload: string
  readonly faults: readonly FaultSwitch[]
}

/** The facts about a stage that do not change while it runs. */
export interface StageSetting {
  readonly steps: readonly StageStep[]
  /** What the load can ask for. */
  readonly scenarios: readonly string[]
  /** Who asks, such as `50 clients`. */
  readonly load: string
  /** Requests a second; null if each client sends its next request once its last is answered. */
  readonly rate: number | null
  /** The machine and the versions. */
  readonly machine: string
  readonly moreCores: MoreCores
  /** What the app can do with requests beyond its capacity; the first is what it does at the start. */
  readonly overloads: readonly string[]
  /** ISO 8601; the start of the stage. */
  readonly date: string
  readonly isReplay: boolean
}

/** A second under load. A second in which the app was replaced has no CPU time. */
export interface Second {
  /** Milliseconds since the start of the stage. */
  readonly atMs: number
  readonly durationMs: number
  readonly step: number
  readonly scenario: string
  /** Whether the second counts: the app has warmed up, and nothing is broken. */
  readonly isWarm: boolean
  /** What the app did with requests beyond its capacity. */
  readonly overload: string
  /** Whether something was broken on purpose. */
  readonly isBroken: boolean
  /** Good answers: right status and right body. */
  readonly good: number
  /** Failed requests and wrong bodies. */
  readonly failed: number
  /** Requests that overload protection refused. */
  readonly refused: number
  /** CPU time of the main thread; null if the app was replaced. */
  readonly cpuMicros: number | null
  readonly p50Ms: number | null
  /** Time of a health check; null if it had no good answer within a second. */
  readonly healthMs: number | null
}

/** A server-sent event from the stage to its pages, and a line of a recording. */
export type StageMessage =
  | StreamMessage
  | { readonly kind: 'setting'; readonly setting: StageSetting }
  | { readonly kind: 'state'; readonly state: StageState }
  | { readonly kind: 'seconds'; readonly seconds: readonly Second[] }
  | {
      readonly kind: 'comparisons'
      readonly comparisons: readonly Comparison[]
      readonly now: NowAndBefore | null
    }
  /** How neighbours disturb what is measured, in words; null when they do not. */
  | { readonly kind: 'noise'; readonly reason: string | null }
  /** What apm-agent tells. */
  | { readonly kind: 'update'; readonly update: Threads }

/** A command of a page: the body of `POST /stage`. */
export type StageCommand =
  | { readonly kind: 'go'; readonly step: number }
  /** One step up or down. */
  | { readonly kind: 'move'; readonly by: 1 | -1 }
  /** Starts the tour, or pauses it, or lets it go on. */
  | { readonly kind: 'tour' }
  /** Chooses what the load asks for; without a scenario, the next. */
  | { readonly kind: 'ask'; readonly scenario?: string }
  /** Chooses what the app does with requests beyond its capacity; without a mode, the next. */
  | { readonly kind: 'overload'; readonly mode?: string }
  /** Switches a fault on for a time, or off. */
  | { readonly kind: 'fault'; readonly name: string }
