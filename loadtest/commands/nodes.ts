import { relative } from 'node:path'
import { renderColumns } from '../../lib/cli/columns.ts'
import { toggle } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../declaration/command.ts'
import { findInstalled, type InstalledNode } from '../nodes/installed.ts'
import { installNode } from '../nodes/package.ts'
import { isVersion } from '../options.ts'

const options = { json: toggle({ help: 'print the versions as JSON on stdout' }) }

/** Lists the versions of Node.js on this machine, and gets others. */
export const nodes: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- nodes [VERSION ...]',
  description: `Lists the versions of Node.js that --node finds on this machine: in PATH, of nvm, fnm and volta, and those that this
command got. With versions, such as 22 24, gets the latest of each from npm first (about 45 MB each), and keeps it in
node_modules/.cache/node-versions.`,
  options,
  takesWords: true,
  async run({ json }, words) {
    const wrong = words.find(word => !isVersion(word))
    if (wrong !== undefined)
      throw new UserError(`nodes takes versions such as 24 or 24.21.0, received "${wrong}"`)
    for (const wanted of words) {
      process.stderr.write(`getting Node.js ${wanted} from npm\n`)
      installNode(wanted)
    }
    const found = findInstalled()
    process.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : `${render(found)}\n`)
  },
}

const render = (found: readonly InstalledNode[]) =>
  renderColumns(found, [
    { title: 'Node.js', cell: ({ version }) => version },
    { title: 'V8', cell: ({ v8 }) => v8 },
    { title: 'runs the app', cell: ({ lacks }) => (lacks === null ? 'yes' : `no: ${lacks}`) },
    {
      title: 'binary',
      cell: ({ path }) => (relative('.', path).startsWith('..') ? path : relative('.', path)),
    },
  ])
