/** The process that a log line or a span comes from. It stands in every log line and in all telemetry. */
export interface Resource {
  readonly service: string
  readonly version: string
  readonly host: string
  readonly pid: number
  /** Identifies this process; no other process ever has the same id. */
  readonly instance: string
}
