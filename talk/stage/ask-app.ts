/**
 * Asks the app over a connection of its own, as one from outside has: one that is kept may end with the app of the step before.
 * @returns the time until the answer was complete, in milliseconds; null without a good answer within the limit
 */
export async function askApp(url: string, limitMs: number): Promise<number | null> {
  const askedAtMs = performance.now()
  try {
    const signal = AbortSignal.timeout(limitMs)
    const answer = await fetch(url, { headers: { connection: 'close' }, signal })
    await answer.arrayBuffer()
    return answer.ok ? performance.now() - askedAtMs : null
  } catch {
    return null
  }
}
