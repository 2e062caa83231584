import autocannon from 'autocannon'
import { applyChunks } from '../lib/apply-chunks.ts'
import { runCommand } from '../lib/cli/command.ts'
import { duration, integer, origin, text } from '../lib/cli/options.ts'
import { UserError } from '../lib/cli/user-error.ts'

/** What the admin server of the app answers to GET /usage, as far as it is used here. */
interface Usage {
  readonly mainThread: { readonly cpuMicros: number }
  readonly total: { readonly cpuMicros: number }
}

const SEEDS = Array.from({ length: 8 }, (_, index) => index + 1)

await runCommand({
  usage: 'npm run loadtest -- [options]',
  description: `Loads the app that "npm start" has started, with autocannon, and checks every body. It prints right answers a second,
their latency, and the CPU time that each costs the main thread and the whole app.`,
  options: {
    url: origin({ default: 'http://127.0.0.1:3000', help: 'the app' }),
    adminUrl: origin({ default: 'http://127.0.0.1:3002', help: 'its admin server' }),
    path: text({ placeholder: 'PATH', default: '/demo', help: 'what is asked, such as /page or /hello' }),
    connections: integer({
      min: 1,
      max: 1000,
      default: '50',
      help: 'clients that each wait for their answer',
    }),
    warmUpMs: duration({ default: '3s', help: 'how long it loads the app before it measures' }),
    durationMs: duration({ minMs: 1000, default: '10s', help: 'how long it measures' }),
  },
  async run({ url, adminUrl, path, connections, warmUpMs, durationMs }) {
    const rightBodies = new Map<string, string>()
    for (const seed of SEEDS) rightBodies.set(...(await askOnce(url, `${path}?seed=${seed}`)))
    const load = (seconds: number) => loadFor(seconds, { url, connections, rightBodies })
    if (warmUpMs > 0) await load(warmUpMs / 1000)
    const before = await readUsage(adminUrl)
    const { right, wrong, seconds, latency } = await load(durationMs / 1000)
    const after = await readUsage(adminUrl)
    const costOf = (part: keyof Usage) =>
      `${((after[part].cpuMicros - before[part].cpuMicros) / right).toFixed(0)} µs a request`
    process.stdout.write(`right answers   ${(right / seconds).toFixed(0)} a second (${wrong} wrong or failed)
latency         ${latency.p50} ms p50, ${latency.p99} ms p99
main thread     ${costOf('mainThread')}
app, all        ${costOf('total')}
`)
    if (wrong > 0) throw new UserError(`${wrong} answers were wrong or failed`)
  },
})

/** @throws UserError when the app does not answer with 200 */
async function askOnce(url: string, path: string): Promise<[path: string, body: string]> {
  const response = await fetch(`${url}${path}`).catch(() => undefined)
  if (response?.status === 200) return [path, comparable(await response.text())]
  const why = response ? `it answers ${response.status}` : 'nothing listens there'
  throw new UserError(`${url}${path} cannot be asked: ${why}; start the app with "npm start"`)
}

interface Load {
  readonly url: string
  readonly connections: number
  /** The right bodies by the paths that are asked in turns. */
  readonly rightBodies: ReadonlyMap<string, string>
}

async function loadFor(duration: number, { url, connections, rightBodies }: Load) {
  let [right, wrong] = [0, 0]
  const requests = [...rightBodies].map(([path, rightBody]) => ({
    path,
    onResponse(status: number, body: string) {
      if (status === 200 && comparable(body) === rightBody) right++
      else wrong++
    },
  }))
  const result = await autocannon({ url, connections, duration, requests })
  return { right, wrong: wrong + result.errors, seconds: result.duration, latency: result.latency }
}

/** A page has a new nonce in each answer, and its late parts come in any order. */
function comparable(body: string): string {
  const nonce = / nonce="([^"]*)"/.exec(body)?.[1]
  return nonce === undefined ? body : applyChunks(body, nonce).replaceAll(nonce, '')
}

async function readUsage(adminUrl: string): Promise<Usage> {
  return JSON.parse((await askOnce(adminUrl, '/usage'))[1]) as Usage
}
