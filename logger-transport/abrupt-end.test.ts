import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { follow, taking } from './follow.fixture.ts'
import { fieldsOf } from './record.ts'

const SEGMENTS = new URL('./main-thread/index.ts', import.meta.url)

/**
 * The rest of the program of a process that has written six lines, by how it ends; and the lines that it has written then.
 * A long line is on its way to the disk at once.
 */
const ends: Readonly<Record<string, readonly [lines: number, code: string]>> = {
  'process.exit()': [6, 'process.exit()'],
  'process.exit() in a write': [7, "write(7, 'x'.repeat(2 ** 17)); setTimeout(process.exit, 1)"],
  'having nothing left to do': [6, ''],
  'an error that nobody catches': [6, 'throw new Error("bug")'],
  'process.exit() with listeners that log': [
    9,
    `process.on('exit', () => { write(7, 'x'.repeat(2 ** 17)); write(8) })
     process.on('exit', () => write(9))
     process.exit()`,
  ],
  'listeners that log when nothing waits': [7, "setTimeout(() => process.on('exit', () => write(7)), 300)"],
}

for (const [end, [lines, code]] of Object.entries(ends))
  test(`a process that ends by ${end} leaves each line once`, async t => {
    const directory = runProgram(
      t,
      `import { segments } from ${JSON.stringify(SEGMENTS)}
       const lines = segments({ directory: process.argv[2] })
       const write = (line, text) => lines.write(JSON.stringify({ line, text }) + '\\n')
       for (let line = 1; line <= 6; line++) write(line)
       ${code}`,
    )
    await assertDelivered(directory, lines)
  })

for (const end of ['process.exit()', 'worker.terminate()'])
  test(`a thread that another ends by ${end} leaves each line once`, async t => {
    const directory = runProgram(
      t,
      `import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
       import { segments } from ${JSON.stringify(SEGMENTS)}
       if (isMainThread) {
         const worker = new Worker(new URL(import.meta.url), { workerData: process.argv[2] })
         worker.once('message', () => ${end})
       } else {
         const lines = segments({ directory: workerData })
         for (let line = 1; line <= 6; line++) lines.write(JSON.stringify({ line }) + '\\n')
         parentPort.postMessage('written')
         for (;;);
       }`,
    )
    await assertDelivered(directory, 6)
  })

test('a process that changes its directory leaves each line in the directory that it named before', async t => {
  const directory = runProgram(
    t,
    `import { mkdirSync } from 'node:fs'
     import { segments } from ${JSON.stringify(SEGMENTS)}
     const lines = segments({ directory: 'segments' })
     const batch = line => lines.write(JSON.stringify({ line, text: 'x'.repeat(2 ** 18) }) + '\\n')
     batch(1)
     mkdirSync('elsewhere')
     process.chdir('elsewhere')
     batch(2)
     await new Promise(resolve => setTimeout(resolve, 300))
     batch(3)
     await lines.close()`,
  )
  await assertDelivered(directory, 3)
})

/** Runs a program to its end, in a new directory. Its argument is the directory \`segments\` there, which is returned. */
function runProgram(t: TestContext, program: string): string {
  const place = temporaryDirectory(t)
  const [file, directory] = [join(place, 'program.mjs'), join(place, 'segments')]
  writeFileSync(file, program)
  try {
    execFileSync(process.execPath, [file, directory], { stdio: 'pipe', cwd: place })
  } catch (error) {
    assert.match((error as Error).message, /Error: bug/)
  }
  return directory
}

async function assertDelivered(directory: string, lines: number): Promise<void> {
  const target = taking('one', record => fieldsOf(record).line)
  assert.deepEqual(await follow(directory, [target]).end(), { delivered: lines, dropped: 0, rejected: 0 })
  assert.deepEqual(
    target.got,
    Array.from({ length: lines }, (_, index) => index + 1),
  )
}
