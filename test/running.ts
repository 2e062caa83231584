import type { TestsStream } from 'node:test'

export interface RunningTest {
  readonly file: string
  readonly name: string
}

interface Seen extends RunningTest {
  readonly nesting: number
}

/**
 * Watches which tests run.
 * @param signal is aborted when the time is over
 * @returns a function that tells which tests ran at that moment: of each file the innermost, without the suites around them
 */
export function watchRunning(
  events: Pick<TestsStream, 'on'>,
  signal: AbortSignal,
): () => readonly RunningTest[] {
  const running = new Map<string, Seen>()
  let atEnd: readonly RunningTest[] = []
  events.on('test:dequeue', ({ file, name, nesting }) => {
    if (file !== undefined) running.set(`${file} ${nesting} ${name}`, { file, name, nesting })
  })
  events.on('test:complete', ({ file, name, nesting }) => {
    running.delete(`${file} ${nesting} ${name}`)
  })
  signal.addEventListener('abort', () => {
    const byFile = Map.groupBy(running.values(), ({ file }) => file)
    atEnd = [...byFile.values()].flatMap(tests => {
      const deepest = Math.max(...tests.map(({ nesting }) => nesting))
      return tests.filter(({ nesting }) => nesting === deepest)
    })
  })
  return () => atEnd
}
