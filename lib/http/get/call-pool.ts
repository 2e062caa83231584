/** The connections of one origin, over which GET requests are made. A Pool of undici is one. */
export interface CallPool {
  dispatch(get: Get, handler: CallHandler): unknown
  close(): Promise<void>
}

export interface Get {
  readonly method: 'GET'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Learns of one request: after its start come parts of the answer, and then one end or error. */
export interface CallHandler {
  /** A connection is there, and the request is sent unless this aborts it. */
  onRequestStart(controller: CallController): void
  onResponseStart(controller: CallController, status: number): void
  onResponseData(controller: CallController, chunk: Buffer): void
  onResponseEnd(controller: CallController): void
  onResponseError(controller: CallController | undefined, error: Error): void
}

export interface CallController {
  readonly aborted: boolean
  /** Ends the request and its connection. The handler is not called again. */
  abort(error: Error): void
}
