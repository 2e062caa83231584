import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandLine, Outcome } from './run-command.ts'

// Runs the command lines that its argument lists, and writes their outcomes as JSON. A command's modules are loaded once: only its
// main file runs again for each line.

/** Ends a command that calls `process.exit`, and not this process. */
class Exit {
  readonly code: number

  constructor(code: number) {
    this.code = code
  }
}

const lines: readonly CommandLine[] = JSON.parse(process.argv[2] as string)
const write = process.stdout.write.bind(process.stdout)
const exit = process.exit.bind(process)
const outcomes: Outcome[] = []
for (const [index, line] of lines.entries()) outcomes.push(await run(line, index))
// A command whose line was a mistake may have begun something that would keep this process alive.
write(JSON.stringify(outcomes), () => exit(0))

async function run([file, ...args]: CommandLine, index: number): Promise<Outcome> {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = ((text: string) => {
      written[name] += text
      return true
    }) as typeof process.stdout.write
  process.argv = [process.execPath, resolve(file), ...args]
  process.exit = code => {
    throw new Exit(Number(code ?? 0))
  }
  try {
    await import(`${pathToFileURL(resolve(file))}?${index}`)
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    return { ...written, code: error.code }
  }
  return { ...written, code: 0 }
}
