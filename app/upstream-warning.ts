const LIMIT_MS = 2000

/** Says in one line when the upstream is not there at the start: the app serves what does not need it. */
export async function warnWithoutUpstream(url: string): Promise<void> {
  try {
    await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(LIMIT_MS) })
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    process.stderr.write(
      `app: the upstream ${url} does not answer (${cause?.code ?? message}); requests that need it fail until it does\n`,
    )
  }
}
