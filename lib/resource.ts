/** The process from which a log line or a span comes. Every log line and all telemetry contain it. */
export interface Resource {
  readonly service: string
  readonly version: string
  readonly host: string
  readonly pid: number
  /** Identifies this process; no other process ever has the same id. */
  readonly instance: string
}
