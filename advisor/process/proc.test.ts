import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { options } from './attach.fixture.ts'
import { treeMicros } from './proc.ts'

/** A child process of the shell that uses 100 ms of CPU time and ends. */
const SHELL = `"$0" --eval 'while (process.cpuUsage().user < 100_000);'; echo ended; read line`

test('the total CPU time of a process has that of its child processes which have ended', options, async t => {
  const shell = spawn('sh', ['-c', SHELL, process.execPath], { stdio: ['pipe', 'pipe', 'ignore'] })
  t.after(() => shell.kill())
  await once(shell.stdout, 'data')
  const micros = treeMicros(shell.pid as number) ?? 0
  assert.ok(micros >= 80_000, String(micros))
})
