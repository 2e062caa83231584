import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { runCommand } from '../../lib/cli/command.ts'
import { text } from '../../lib/cli/options.ts'
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
  },
  takesWords: true,
  async run({ out }, [path = latestResults, ...others]) {
    if (others.length > 0) throw new UserError(`one run is expected, received "${others[0]}" too`)
    const results = readAnyRun(path)
    const isDirectory = statSync(path).isDirectory()
    const target = out ?? (isDirectory ? path : dirname(resultsFile(results)))
    const profiles = isDirectory ? path : dirname(path)
    process.stderr.write(describeReport(writeReport(results, target, profiles)))
  },
})
