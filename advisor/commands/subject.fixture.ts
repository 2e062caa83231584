import type { Chosen } from './subject.ts'

/** A load of ten connections that asks for one URL; no load if there is none. */
export const loadOf = (url: string | undefined): Chosen => ({
  attach: undefined,
  url,
  connections: 10,
  readyMs: 60_000,
  http2: false,
  acceptErrors: false,
  loadWith: undefined,
  method: undefined,
  header: undefined,
  body: undefined,
  bodyFile: undefined,
  requests: undefined,
})
