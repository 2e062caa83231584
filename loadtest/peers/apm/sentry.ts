import { createAgent, require } from './agent.ts'

/** How long the last records may take, in milliseconds. */
const FLUSH_LIMIT_MS = 3000

/** The agent of Sentry, which traces every request. */
export const createApm = createAgent('sentry', ({ url }) => {
  const { init, getActiveSpan, getRootSpan, updateSpanName, flush } = require('@sentry/node')
  init({ dsn: url.replace('//', '//key@').concat('/1'), tracesSampleRate: 1 })
  return {
    nameRoute(path) {
      const span = getActiveSpan()
      if (span) updateSpanName(getRootSpan(span), `GET ${path}`)
    },
    flush: () => flush(FLUSH_LIMIT_MS),
  }
})
