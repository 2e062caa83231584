/** The answer to `GET /now`: the step that serves, as the audience sees it. */
export interface Now {
  readonly step: number
  readonly name: string
  /** CPU microseconds of the main thread a request, in the last second; null if it is not known. */
  readonly costMicros: number | null
}

/** The answer to `GET /hello`: the step that answered, and how long the app took, without the way to the audience. */
export interface Greeting {
  readonly step: number
  readonly appMs: number
}
