import { type ClientReport, REPORT_INTERVAL_MS } from '../../apm-agent/live/client-report.ts'
import type { RequestMeter } from '../../app/pulse/request-meter.ts'

/**
 * Tells apm-agent twice a second how long clients waited, which only they know. One report is on its way at a time; one
 * that fails is left out.
 * @param url of apm-agent; none, and nothing is told
 * @returns how to stop it
 */
export function tellLive(url: string | undefined, meter: RequestMeter): () => void {
  if (url === undefined) return () => {}
  let isTelling = false
  const timer = setInterval(async () => {
    if (isTelling) return
    isTelling = true
    await send(url, { latencies: meter.takeLatencies() })
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
    // apm-agent is being restarted, or is gone: the page shows what the server sees.
  }
}
