import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { startRecordServer } from '../record-server.fixture.ts'

const REGISTER = join(import.meta.dirname, 'register.ts')

/**
 * Runs a program with `--import apm-agent/register` to its end.
 * @param program an ES module. It may import packages of this project.
 * @returns what it wrote, and the spans that apm-agent received of it
 */
export async function runInstrumented(t: TestContext, program: string) {
  const spans: ReadableSpan[] = []
  const { path, closed } = await startRecordServer(t, (given, settle) => {
    spans.push(...given)
    settle()
  })
  const args = ['--import', REGISTER, '--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, {
    cwd: import.meta.dirname,
    env: { ...process.env, DMT_APM_SOCKET: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  // Its last records may still be on their way when it has ended.
  await Promise.all([ended, closed()])
  return { stdout, stderr, spans }
}
