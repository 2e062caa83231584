import { type ClientReport, REPORT_INTERVAL_MS } from '../../apm-agent/live/client-report.ts'
import type { RequestMeter } from '../../app/server/pulse/request-meter.ts'

/**
 * Reports to apm-agent twice a second how long clients waited. It sends one report at a time; one that fails is not repeated.
 * @param url base URL of apm-agent; without it, nothing is reported
 * @param note says what is asked for; the live page shows it
 * @returns a function that stops the reports
 */
export function tellLive(
  url: string | undefined,
  meter: RequestMeter,
  note = (): string | undefined => undefined,
): () => void {
  if (url === undefined) return () => {}
  let isTelling = false
  const timer = setInterval(async () => {
    if (isTelling) return
    isTelling = true
    await send(url, { latencies: meter.takeLatencies(), note: note() })
    isTelling = false
  }, REPORT_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}

async function send(url: string, report: ClientReport): Promise<void> {
  try {
    const answer = await fetch(`${url}/live/load`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
      signal: AbortSignal.timeout(2 * REPORT_INTERVAL_MS),
    })
    await answer.arrayBuffer()
  } catch {
    // apm-agent is being restarted, or has ended. The live page then shows latencies as the server sees them.
  }
}
