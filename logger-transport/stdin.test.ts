import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'

const MAIN = join(import.meta.dirname, 'main.ts')

interface Places {
  readonly logDir: string
  readonly logFile: string
  readonly command: readonly string[]
}

/** Starts a transport. It is stopped at the end of the test, unless it has ended before. */
function start(t: TestContext, spawnTransport: (places: Places) => ChildProcess) {
  const directory = mkdtempSync(join(tmpdir(), 'stdin-'))
  const [logDir, logFile] = [join(directory, 'segments'), join(directory, 'app.log')]
  const flags = ['--port=0', `--log-dir=${logDir}`, `--log-file=${logFile}`]
  const places = { logDir, logFile, command: [process.execPath, MAIN, ...flags] }
  const transport = spawnTransport(places)
  const ended = once(transport, 'exit')
  t.after(async () => {
    transport.kill()
    await ended
    rmSync(directory, { recursive: true })
  })
  return { ...places, transport, ended }
}

/** Starts the transport by a script of a shell. In the script `"$@"` is the transport's command; `exec` runs it. */
const byShell = (script: string, { command }: Places) =>
  spawn('sh', ['-c', script, 'sh', ...command], { stdio: ['ignore', 'ignore', 'pipe'] })

/** Kinds of stdin that carry no log lines, so that the transport follows segments. */
const others: Readonly<Record<string, (places: Places) => ChildProcess>> = {
  '/dev/null': places => byShell('exec "$@" </dev/null', places),
  'a closed stdin': places => byShell('exec "$@" <&-', places),
  'a file': ({ command, logFile }) => {
    writeFileSync(`${logFile}.input`, '{"level":"info"}\n')
    const stdin = openSync(`${logFile}.input`, 'r')
    const child = spawn(command[0] as string, command.slice(1), { stdio: [stdin, 'ignore', 'pipe'] })
    closeSync(stdin)
    return child
  },
  // `script` gives its command a terminal of its own and forwards the output of that terminal.
  'a terminal': ({ command }) =>
    spawn('script', ['-qec', `exec ${command.join(' ')}`, '/dev/null'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
}

describe('a transport whose stdin is', () => {
  test('what spawn makes reads it as a pipe, and ends with it', async t => {
    const { transport, ended, logDir, logFile } = start(t, ({ command: [file, ...flags] }) =>
      spawn(file as string, flags, { stdio: ['pipe', 'ignore', 'pipe'] }),
    )
    const said = text(transport.stderr as Readable)
    transport.stdin?.end('{"sequence":1}\n{"sequence":2}\nno JSON')
    assert.deepEqual(await ended, [0, null], await said)
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
    assert.deepEqual(
      lines.map(line => JSON.parse(line).sequence),
      [1, 2, undefined],
    )
    assert.equal(existsSync(logDir), false, 'it does not look for segments')
  })

  for (const [kind, spawnTransport] of Object.entries(others))
    test(`${kind} follows segments`, async t => {
      const { transport, logDir } = start(t, spawnTransport)
      const [line] = await once(
        createInterface({ input: (transport.stderr ?? transport.stdout) as Readable }),
        'line',
      )
      assert.match(line, /^logger-transport listens on /)
      assert.ok(existsSync(logDir))
    })
})
