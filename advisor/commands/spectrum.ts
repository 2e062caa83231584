import type { Profiler } from 'node:inspector'
import type { Command } from '../../lib/cli/command.ts'
import { duration, text, toggle } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { saveFile } from '../../lib/os/save-file.ts'
import { measureHop } from '../advice/hop.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { readGivenJson } from '../given-file.ts'
import { addToSummary, annotate } from '../output/github.ts'
import { renderHtml } from '../output/html.ts'
import { renderMarkdown } from '../output/markdown.ts'
import { renderText } from '../output/text.ts'
import { commonFolder } from '../owners/files.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { filesIn } from '../owners/place.ts'
import { type Busier, watchDescendants } from '../process/busier.ts'
import { pause } from '../process/pause.ts'
import { isRunning, rootOf } from '../process/proc.ts'
import { readProfile } from '../spectrum/read-profile.ts'
import { type Report, reportOfProcess, reportOfProfile } from '../spectrum/report.ts'
import type { ThreadWindow } from '../watching/thread.ts'
import { type Watched, watchProcess } from '../watching/watch-process.ts'
import { assertKnown, exceeded, type Limit, parseLimits, readStored } from './limits.ts'
import { abortOnStop, programOf, subjectOptions, withSubject } from './subject.ts'

/** Each window without a profiler lasts this share of the profiled one. */
const UNWATCHED_SHARE = 0.2

const options = {
  ...subjectOptions,
  warmupMs: duration({ help: 'time under load before anything is measured', default: '5s' }),
  profile: text({ help: 'split a profile of V8 that is there already', placeholder: 'FILE.cpuprofile' }),
  forMs: duration({ help: 'duration of the profile', default: '10s', minMs: 500 }),
  json: toggle({ help: 'the answer as JSON' }),
  markdown: toggle({ help: 'the answer as Markdown' }),
  html: text({ help: 'also write the answer as one page', placeholder: 'FILE.html' }),
  save: text({
    help: 'also write the profile of each thread to this directory, for speedscope and DevTools',
    placeholder: 'DIRECTORY',
  }),
  failOver: {
    help: 'fail if a concern takes more: a share of the main thread, time for each request, or growth of that time',
    placeholder: 'CONCERN=LIMIT',
    expected: 'limits such as logging=20%,apm=35us,request=+10%',
    parse: (given: string): Limit[] | undefined => parseLimits(given),
  },
  against: text({
    help: 'the run to which growth is compared: the answer of --json',
    placeholder: 'FILE.json',
  }),
}
type SpectrumValues = Parameters<Command<typeof options>['run']>[0]

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
    if (values.html) saveFile(values.html, renderHtml(report))
    process.stdout.write(
      values.json
        ? `${JSON.stringify(report, null, 2)}\n`
        : values.markdown
          ? renderMarkdown(report)
          : renderText(report),
    )
    addToSummary(renderMarkdown(report))
    const facts = values.failOver ? exceeded(report, values.failOver, stored) : []
    for (const fact of facts) annotate(fact)
    if (facts.length > 0) throw new UserError(facts.join('; '))
  },
}

async function splitProfile(file: string, { concerns }: SpectrumValues): Promise<Report> {
  const concernOf = createConcernOf(concerns)
  const profile = openProfile(file)
  const findOwner = createFindOwner(process.cwd(), '', commonFolder(filesIn(profile)))
  return reportOfProfile(file, profile, { findOwner, concernOf }, await measureHop())
}

/** @throws UserError when the file cannot be read, or is no profile */
function openProfile(file: string): Profiler.Profile {
  const profile = readProfile(readGivenJson('--profile', file))
  if (profile) return profile
  throw new UserError(
    `${file} is no CPU profile of V8: it needs samples, as many timeDeltas, and nodes that are a tree`,
  )
}

async function watch(values: SpectrumValues, words: readonly string[], hop: Report['hop']): Promise<Report> {
  // A wrong table is reported before anything is started.
  createConcernOf(values.concerns)
  return withSubject(values, words, abortOnStop(), async ({ pid, name, load, abort }) => {
    // Worker threads that start under load have to be there when watching begins.
    if (load) await pause(values.warmupMs, abort)
    if (isRunning(pid)) load?.check()
    const report = async (watched: Watched) => {
      const findBusier = watchDescendants(pid)
      const before = await watched.measure(values.forMs * UNWATCHED_SHARE)
      const windows = await watched.profile(values.forMs)
      const unwatched = [before, await watched.measure(values.forMs * UNWATCHED_SHARE)]
      warnOfBusier(pid, findBusier())
      if (values.save) saveProfiles(values.save, windows)
      const findOwner = createFindOwner(watched.directory, rootOf(pid))
      const concernOf = createConcernOf(values.concerns, programOf(watched.script))
      const nodeVersion = watched.version
      return reportOfProcess(
        { subject: name, nodeVersion, windows, unwatched },
        { findOwner, concernOf },
        hop,
      )
    }
    return watchProcess(pid, abort, report, { keepsCode: values.keepCode })
  })
}

/** A process that only distributes connections is idle, however busy the service is. */
function warnOfBusier(pid: number, busier: Busier | undefined): void {
  if (!busier) return
  const seconds = (micros: number) => (micros / 1e6).toFixed(2)
  process.stderr.write(
    `warning: process ${busier.pid}, which the watched process ${pid} has started, used ${seconds(busier.cpuMicros)} s of CPU time, and ${pid} itself ${seconds(busier.ownMicros)} s. If that one serves the requests, watch it: --attach takes a process of a service that runs\n`,
  )
}

const saveProfiles = (directory: string, windows: readonly ThreadWindow[]) => {
  for (const { thread, profile } of windows) {
    saveFile(`${directory}/${thread.replaceAll(/[^\w.-]+/g, '-')}.cpuprofile`, JSON.stringify(profile))
  }
}
