import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '../../lib/cli/user-error.ts'
import { connectInspector, type Inspector } from '../../loadtest/spectrum/inspector.ts'
import {
  clusterWorkers,
  handlesSigusr1,
  hasInspectorFlag,
  hasProc,
  inspectorPort,
  isInThisNetwork,
  isListenedOn,
  isNode,
  isRunning,
  listeningPorts,
} from './proc.ts'

/**
 * After this time without an inspector, other causes are looked for. The main thread opens the inspector, even in the middle of
 * a long turn of JavaScript, but not during a call such as `execSync` or `pbkdf2Sync`.
 */
const PATIENCE_MS = 3000
const CLOSE_LIMIT_MS = 10_000
const LOOK_INTERVAL_MS = 20

/** An inspector that this program has opened in another process, or found open there. */
export interface OpenedInspector extends Inspector {
  /** Whether the process listened for an inspector before; then it does afterwards too. */
  readonly wasOpen: boolean
  /** Closes the connection, and waits until the process no longer listens for an inspector, unless it did before. */
  leave(): Promise<void>
}

/**
 * Opens the inspector of a process by SIGUSR1 and connects to it. It waits as long as that takes, because an inspector that
 * opens after this has given up would stay open.
 * @throws UserError one line that says why the process refuses, and the way out; also the reason of `abort`
 */
export async function openInspector(pid: number, abort: AbortSignal): Promise<OpenedInspector> {
  refuseIf(whyNotAsked(pid))
  const before = listeningPorts(pid) ?? []
  if (!hasInspectorFlag(pid)) {
    process.kill(pid, 'SIGUSR1')
    const opened = await waitForInspector(pid, before, AbortSignal.timeout(PATIENCE_MS))
    if (opened) return connect(pid, opened, false)
  }
  // It had an inspector before. The service's own ports are asked only now, because they may count requests.
  const url = await findInspector(before)
  if (url) return connect(pid, url, true)
  refuseIf(whyNotOpened(pid))
  process.stderr.write(
    `process ${pid} has not opened its inspector yet: its main thread is in a long synchronous call, or it handles SIGUSR1 itself. Ctrl-C stops waiting; the inspector may then open later, and stay open.\n`,
  )
  const late = await waitForInspector(pid, before, abort)
  if (!late) throw abort.reason
  return connect(pid, late, false)
}

function refuseIf(reason: string | undefined): void {
  if (reason !== undefined) throw new UserError(reason)
}

/** Says why a process is not asked to open its inspector; undefined if it is asked. */
function whyNotAsked(pid: number): string | undefined {
  if (!hasProc())
    return 'processes can be watched on Linux only; elsewhere start it with "node --cpu-prof" and give the file with --profile'
  if (!isRunning(pid)) return `there is no process ${pid} here; one in a container is seen from inside of it`
  if (!listeningPorts(pid))
    return `process ${pid} belongs to another user: run this as that user, or with sudo`
  if (!isNode(pid)) return `process ${pid} is not Node.js`
  // Node.js passes SIGUSR1 on to the workers, whose inspectors nobody would close.
  const [worker] = clusterWorkers(pid)
  if (worker !== undefined)
    return `process ${pid} is the primary of a cluster, which only distributes connections: watch a worker, such as --attach ${worker}`
  if (!isInThisNetwork(pid))
    return `process ${pid} is in a container, which has a network of its own: run this inside of it (docker exec), or in its network (sudo nsenter --net --target ${pid} main-thread …)`
  if (!handlesSigusr1(pid) && !hasInspectorFlag(pid))
    return `process ${pid} does not take SIGUSR1 (--disable-sigusr1, or it has just started): start it with --inspect, or without that flag`
  return undefined
}

/** Says why an inspector has not opened; undefined if it may open later. */
function whyNotOpened(pid: number): string | undefined {
  if (hasInspectorFlag(pid))
    return `process ${pid} was started with --inspect, but its inspector is not open: start it without that flag`
  const port = inspectorPort(pid)
  if (isListenedOn(port) && !listeningPorts(pid)?.includes(port))
    return `process ${pid} cannot open its inspector, because another process listens on its port ${port}: end that one, or start the service with --inspect-port=0`
  return undefined
}

/** Waits for an inspector on a new port. @returns undefined if none opens until the end. @throws UserError when the process ends */
async function waitForInspector(
  pid: number,
  before: readonly number[],
  end: AbortSignal,
): Promise<string | undefined> {
  while (!end.aborted) {
    const url = await findInspector((listeningPorts(pid) ?? []).filter(port => !before.includes(port)))
    if (url) return url
    if (!isRunning(pid)) throw new UserError(`process ${pid} ended before its inspector was open`)
    await delay(LOOK_INTERVAL_MS)
  }
  return undefined
}

/** Asks some ports for an inspector. @returns its URL */
async function findInspector(ports: readonly number[]): Promise<string | undefined> {
  for (const port of ports) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json/list`, {
        signal: AbortSignal.timeout(1000),
      })
      const [target] = (await response.json()) as readonly { webSocketDebuggerUrl?: string }[]
      if (target?.webSocketDebuggerUrl) return target.webSocketDebuggerUrl
    } catch {
      // Another server listens there.
    }
  }
  return undefined
}

async function connect(pid: number, url: string, wasOpen: boolean): Promise<OpenedInspector> {
  const port = Number(new URL(url).port)
  const inspector = await connectInspector(url)
  return {
    ...inspector,
    wasOpen,
    async leave() {
      inspector.close()
      await inspector.closed
      const limitMs = performance.now() + CLOSE_LIMIT_MS
      while (!wasOpen && listeningPorts(pid)?.includes(port)) {
        if (performance.now() > limitMs) throw new Error(`process ${pid} still listens on port ${port}`)
        await delay(LOOK_INTERVAL_MS)
      }
    },
  }
}
