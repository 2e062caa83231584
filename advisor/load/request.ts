/** A request that a load sends again and again. */
export interface Request {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  /** How often it is sent, against the weights of the others. */
  readonly weight: number
}

/** Where requests go, and how. */
export interface Target {
  /** Such as `https://127.0.0.1:3000`. */
  readonly origin: string
  /** A Unix socket in the place of a port. */
  readonly socketPath?: string | undefined
  readonly isHttp2: boolean
}
