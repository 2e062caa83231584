/** Renders parts at once. */
export interface PartRenderer<Call> {
  /**
   * The HTML of a part by renderToString.
   * @throws the errors of components
   */
  render(call: Call): string
  /** The component stack of an error in a part; undefined if the error occurred before any component ran. */
  explain(call: Call): Promise<string | undefined>
}
