import type { PartCall } from './protocol.ts'

type ErrorClass = new (message: string) => Error

/** Renders parts at once. */
export interface PartRenderer<Call> {
  /**
   * The HTML of a part by renderToString.
   * @throws UpstreamDataError, and the errors of components
   */
  render(call: Call): string
  /** The component stack of an error in a part; undefined if the error occurred before any component ran. */
  explain(call: Call): Promise<string | undefined>
  /** Thrown when the data of a part does not match the query. A renderer that decodes no upstream data has none. */
  readonly UpstreamDataError?: ErrorClass
}

/** The exports of a renderer file: they decode the data of a part and render its components. */
export interface Renderer extends PartRenderer<PartCall> {
  /** The HTML of `render` by renderToPipeableStream. */
  stream(call: PartCall): Promise<Buffer>
  readonly UpstreamDataError: ErrorClass
}
