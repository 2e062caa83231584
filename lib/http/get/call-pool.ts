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

/** Is told of the events of one request: its start, the parts of the answer, and then its end or an error. */
export interface CallHandler {
  /** Called before the request is sent; the handler may abort it with the controller. */
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
