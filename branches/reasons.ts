import type { StepName } from '../app/steps.ts'

/**
 * The reason for each step, in one or two sentences without figures, which come from the published runs. No library is
 * named, because the branch of a step names only what it uses.
 */
export const reasons: Readonly<Record<StepName, string>> = {
  monolith: `Everything runs on the main thread, as a competent team would ship it: production mode, each library set
up as its manual says. Nothing is slow on purpose. Every request waits on this one thread.`,
  compute: `The CPU tasks held up every other request. They run in worker threads now; the main thread sends a message
and gets one back, with many jobs in one message while many wait.`,
  serialization: `With the computations gone, what is left is decoding what the upstream sends and encoding the
answer. Both are done by code that is generated from a schema at start-up, Protobuf in and JSON out.`,
  framework: `The framework routes, parses and sends. Another one does the same with less of its own between the
socket and the route.`,
  logging: `A log line has to be formatted, serialized, written, rotated and delivered. The main thread now only makes
the line and leaves it in a segment file; a process beside the app does the rest.`,
  apm: `Telemetry collects, aggregates, encodes and exports, on the thread whose work it measures. The main thread now
only writes a record of fixed size; a process beside the app makes metrics and spans of it.`,
  rendering: `A page of React components took most of the main thread while it was rendered. Its parts are rendered in
threads now, each on its own, and the main thread passes on the bytes.`,
}
