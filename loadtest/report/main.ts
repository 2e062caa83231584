import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { runCommand } from '../../lib/cli/command.ts'
import { text, toggle } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { latestResults, readAnyRun, resultsFile } from '../outcome/results-file.ts'
import { describeReport, writeReport } from './write.ts'

await runCommand({
  usage: 'npm run loadtest -- report [DIRECTORY | FILE] [options]',
  description: 'Makes the report of a run again from its results. Without a name it takes the last run.',
  options: {
    out: text({
      placeholder: 'DIRECTORY',
      help: 'where to write it (default DIRECTORY; for a FILE, the directory of its run in loadtest/results)',
    }),
    slides: toggle({ help: 'also write each plot of the report as SVG and PNG of 1920 x 1080' }),
  },
  takesWords: true,
  async run({ out, slides }, [path = latestResults, ...others]) {
    if (others.length > 0) throw new UserError(`one run is expected, received "${others[0]}" too`)
    const results = readAnyRun(path)
    const isDirectory = statSync(path).isDirectory()
    const source = isDirectory ? path : dirname(path)
    const target = out ?? (isDirectory ? path : dirname(resultsFile(results)))
    const report = await writeReport(results, target, { slides, profiles: source })
    process.stderr.write(describeReport(report, slides))
  },
})
