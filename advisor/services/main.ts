import { runCommand } from '../../lib/cli/command.ts'
import { renderMarkdownTable } from '../../lib/cli/markdown.ts'
import { choices, duration } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { findFreePort } from '../../lib/http/free-port.ts'
import { abortOnStop, withSubject } from '../commands/subject.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { percent } from '../output/tables.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { pause } from '../process/pause.ts'
import { readSeenTime } from '../spectrum/parts.ts'
import { LEAST_COVERAGE, split } from '../spectrum/spectrum.ts'
import { watchProcess } from '../watching/watch-process.ts'
import { columns, compare, describe, type Row } from './compare.ts'
import { install } from './install.ts'
import { perfFlags, recordWithPerf } from './perf.ts'
import { type RealService, services } from './services.ts'

const names = Object.keys(services)
const CONNECTIONS = 10
const READY_MS = 60_000

await runCommand({
  usage: 'npm run bench:services -- [options]',
  description:
    "Splits the main thread of services from npm by concern, with V8's profiler and then with Linux's perf, and compares the two. Fails when the spectrum of a service explains less than 90 % of its CPU time.",
  options: {
    services: choices({ help: 'services to measure', choices: names, default: names.join() }),
    warmupMs: duration({ help: 'time under load before anything is measured', default: '3s' }),
    forMs: duration({ help: 'duration of each profile', default: '10s', minMs: 1000 }),
  },
  async run(values) {
    const abort = abortOnStop()
    const rows: Row[] = []
    for (const name of values.services) {
      const service = services[name] as RealService
      process.chdir(install(name, service))
      rows.push(await measure(service, values, abort))
    }
    process.stdout.write(`${renderMarkdownTable(rows, columns)}\n\n${rows.map(describe).join('\n')}\n`)
    const poor = rows.filter(({ spectrum }) => (spectrum.coverage ?? 0) < LEAST_COVERAGE)
    if (poor.length > 0)
      throw new UserError(
        `coverage is below ${percent(LEAST_COVERAGE)}: ${poor.map(({ title }) => title).join()}`,
      )
  },
})

async function measure(
  { title, args, path }: RealService,
  { warmupMs, forMs }: { warmupMs: number; forMs: number },
  abort: AbortSignal,
): Promise<Row> {
  const port = await findFreePort()
  Object.assign(process.env, { PORT: String(port), NODE_ENV: 'production' })
  const words = [process.execPath, ...perfFlags, ...args.map(arg => arg.replace('{port}', String(port)))]
  const chosen = {
    attach: undefined,
    url: `http://127.0.0.1:${port}${path}`,
    connections: CONNECTIONS,
    readyMs: READY_MS,
  }
  return withSubject(chosen, words, abort, async ({ pid }) => {
    await pause(warmupMs, abort)
    const [window] = await watchProcess(pid, abort, watched => watched.profile(forMs))
    const findOwner = createFindOwner(process.cwd())
    const concernOf = createConcernOf(undefined, title.split(' ')[0])
    const spectrum = split(window, readSeenTime(window.profile, findOwner, concernOf))
    const seenByPerf = readSeenTime(await recordWithPerf(pid, forMs), findOwner, concernOf)
    const perf = split({ thread: 'perf', wallMs: forMs }, seenByPerf)
    return { title, requests: window.requests, spectrum, concerns: compare(spectrum, perf) }
  })
}
