import type { Command } from '../../lib/cli/command.ts'
import { duration, text, type Values } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { saveFile } from '../../lib/os/save-file.ts'
import { measureHop } from '../advice/hop.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { readGivenJson } from '../given-file.ts'
import { jsonOption, printAnswer, renderText } from '../output/render.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { type Busier, stdoutOf, watchCores, watchDescendants } from '../process/proc.ts'
import { readProfile } from '../spectrum/read-profile.ts'
import { type Report, reportOf, reportOfProfile } from '../spectrum/report.ts'
import { profileCalmly, refuseUncertain } from '../watching/calm-window.ts'
import { assertKnown, exceeded, type Limit, parseLimits, readStored } from './limits.ts'
import { abortOnStop, subjectOptions, withWatched } from './subject.ts'

/** Each window without a profiler lasts this share of the profiled one. */
const UNWATCHED_SHARE = 0.2

const options = {
  ...subjectOptions,
  profile: text({ help: 'split a profile of V8 that is there already', placeholder: 'FILE.cpuprofile' }),
  forMs: duration({ help: 'duration of the profile', default: '10s', minMs: 500 }),
  json: jsonOption,
  save: text({
    help: 'also write the profile of each thread to this directory, for speedscope and DevTools',
    placeholder: 'DIRECTORY',
  }),
  failOver: {
    help: 'fail if a concern takes more, such as logging=20%,apm=35us,request=+10%: a share of the main thread, time for each request, or growth of that time; "request" is all concerns',
    placeholder: 'CONCERN=LIMIT',
    expected: 'limits such as logging=20%,apm=35us,request=+10%',
    parse: (given: string): Limit[] | undefined => parseLimits(given),
  },
  against: text({
    help: 'the run to which growth is compared: the answer of --json',
    placeholder: 'FILE.json',
  }),
}
type SpectrumValues = Values<typeof options>

export const spectrum: Command<typeof options> = {
  usage: 'main-thread spectrum [options] [-- COMMAND…]',
  description:
    'Splits the CPU time of a Node.js service by concern, and says what moving each concern off the main thread could bring. The service is a command that this starts, a process that runs (--attach), or a profile (--profile).',
  options,
  takesWords: true,
  async run(values, words) {
    if (values.profile && (values.attach !== undefined || words.length > 0))
      throw new UserError('--profile takes neither a command nor --attach')
    const stored = values.against ? readStored(values.against) : undefined
    if (values.failOver) assertKnown(values.failOver, values.concerns, stored !== undefined)
    const report = values.profile
      ? await splitProfile(values.profile, values)
      : await watch(values, words, await measureHop())
    printAnswer(values.json, report, renderText(report))
    const facts = values.failOver ? exceeded(report, values.failOver, stored) : []
    if (facts.length > 0) throw new UserError(facts.join('; '))
  },
}

/** @throws UserError when the file cannot be read, or is no profile */
async function splitProfile(file: string, { concerns }: SpectrumValues): Promise<Report> {
  const concernOf = createConcernOf(concerns)
  const profile = readProfile(readGivenJson('--profile', file))
  if (!profile) {
    throw new UserError(
      `${file} is no CPU profile of V8: it needs samples, as many timeDeltas, and nodes that are a tree`,
    )
  }
  const findOwner = createFindOwner(process.cwd())
  return reportOfProfile(file, profile, { findOwner, concernOf }, await measureHop())
}

async function watch(values: SpectrumValues, words: readonly string[], hop: Report['hop']): Promise<Report> {
  const { forMs, save } = values
  return withWatched(
    values,
    words,
    abortOnStop(),
    async ({ pid, name, version, measure, profile, attribution }) => {
      const findBusier = watchDescendants(pid)
      const before = await measure(forMs * UNWATCHED_SHARE)
      const readCores = watchCores()
      const windows = await profileCalmly({ profile }, forMs)
      const cores = readCores()
      refuseUncertain(windows[0])
      const unwatched = [before, await measure(forMs * UNWATCHED_SHARE)]
      warnOfBusier(pid, findBusier())
      for (const { thread, profile } of save ? windows : [])
        saveFile(`${save}/${thread.replaceAll(/[^\w.-]+/g, '-')}.cpuprofile`, JSON.stringify(profile))
      const found = { subject: name, nodeVersion: version, windows, unwatched, cores, stdout: stdoutOf(pid) }
      return reportOf(found, attribution, hop)
    },
  )
}

/** A process that only distributes connections is idle, however busy the service is. */
function warnOfBusier(pid: number, busier: Busier | undefined): void {
  if (!busier) return
  const seconds = (micros: number) => (micros / 1e6).toFixed(2)
  process.stderr.write(
    `warning: process ${busier.pid}, which the watched process ${pid} has started, used ${seconds(busier.cpuMicros)} s of CPU time, and ${pid} itself ${seconds(busier.ownMicros)} s. If that one serves the requests, watch it: --attach takes a process of a service that runs\n`,
  )
}
