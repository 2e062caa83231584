import type { Latency } from '../generator/protocol.ts'
import type { Ledger } from './ledger.ts'
import type { MachineUse } from './machine.ts'

/** One fresh stack under load for one measured window. Micros are CPU microseconds a good response. */
export interface Sample {
  /** The block it belongs to; a sample that was refused is followed by its repetition. */
  readonly round: number
  readonly valid: boolean
  /** Why it is not valid. */
  readonly reason: string | null
  readonly responses: number
  /** Good responses a second. */
  readonly goodput: number
  readonly mainThreadMicros: number
  /** App and sidecars. */
  readonly totalMicros: number
  readonly processMicros: {
    readonly app: number
    readonly loggerTransport: number
    readonly apmAgent: number
  }
  readonly mainThreadUtilization: number
  readonly generatorUtilization: number
  /** To the last byte. */
  readonly latencyMs: Latency
  readonly firstByteMs: Latency
  /** The same as `latencyMs`, by the name that stands beside `firstByteMs`. */
  readonly lastByteMs: Latency
  /** Of an open loop: how long after their time requests were sent. */
  readonly latenessMs: Latency | null
  readonly errors: number
  readonly wrongBodies: number
  /** Of the app, at the end of the window; what its processes share counts for each of them. */
  readonly residentMiB: number
  /** Of the app and its sidecars, each page divided by how many processes share it; null where that cannot be read. */
  readonly memoryMiB?: number | null
  /** What else the machine did; null where that cannot be read. */
  readonly machine: MachineUse | null
  /**
   * Good responses a second of the load beside the one measured. Beside a closed loop, micros are a response of either.
   */
  readonly besideGoodput: number | null
  /** Of what is asked on a schedule beside the one measured; what it costs is in the micros of the others. */
  readonly besideLatencyMs?: Latency | null
  readonly ledger: Ledger
  /** Where they were watched. */
  readonly collections?: Collections
}

/** Garbage collections that stopped the main thread in one window. */
export interface Collections {
  readonly perSecond: number
  readonly pauseMs: Latency
  /** Of the window. */
  readonly share: number
}
