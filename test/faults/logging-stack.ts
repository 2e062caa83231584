import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resource } from '../../app/resource.ts'
import { lastStep } from '../../app/steps.ts'
import type { Usage } from '../../app/usage.ts'
import { listen } from '../../lib/listen.ts'
import { bytesToMiB } from '../../lib/units.ts'
import { CLOSED_FILE, segmentName, WRITER_FILE } from '../../logger-transport/protocol.ts'
import { type Stack, type StackOptions, startStack } from '../../stack/stack.ts'
import { logPlaces } from '../places.ts'

export const LINES_PER_REQUEST = 10
const QUICK_RETRY_MS = 100

/** Only root may mount, and in a container often not even root. */
export function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(probe)
  }
}

export async function startLoggingStack(
  directory: string,
  options: Partial<StackOptions> = {},
): Promise<Stack> {
  return startStack({
    composition: { ...lastStep.composition, compute: 'inline', logging: 'sidecar', apm: 'none' },
    ...options,
    app: { ...logPlaces(directory), ...options.app },
    loggerTransport: { keptFiles: 1000, ...options.loggerTransport },
  })
}

export const logUrl = (stack: Stack, count = LINES_PER_REQUEST) =>
  `${stack.address('app')}/log?count=${count}`

export async function residentMiB(stack: Stack): Promise<number> {
  const response = await fetch(`${stack.address('app', 'admin')}/usage`)
  return bytesToMiB(((await response.json()) as Usage).total.residentBytes)
}

/** What was delivered to the file target, rotated files first. */
export function logFiles(directory: string): string[] {
  const order = (name: string) => Number(name.split('.')[2] ?? Number.POSITIVE_INFINITY)
  const names = readdirSync(directory).filter(name => name.startsWith('app.log'))
  return names.sort((a, b) => order(a) - order(b)).map(name => join(directory, name))
}

/** All of it; of a short run. */
export const readAll = (directory: string): string =>
  logFiles(directory)
    .map(file => readFileSync(file, 'utf8'))
    .join('')

/** The numbers of the delivered lines, in the order of delivery. */
export const deliveredNumbers = (directory: string): number[] =>
  Array.from(readAll(directory).matchAll(/"sequence":(\d+)/g), ([, number]) => Number(number))

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

export function segmentBytes(directory: string): number {
  const files = readdirSync(join(directory, 'segments'), { recursive: true, withFileTypes: true })
  const segments = files.filter(({ name }) => name.endsWith('.ndjson'))
  return segments.reduce(
    (total, { parentPath, name }) => total + readFileSync(join(parentPath, name)).length,
    0,
  )
}

export function writeAwkwardSegments(directory: string): void {
  const writer = join(directory, 'segments', resource.instance)
  mkdirSync(writer, { recursive: true })
  const line = (sequence: number, message = 'fine') =>
    `${JSON.stringify({ level: 'info', sequence, message })}\n`
  const binary = Buffer.from([0, 255, 254, 1, 10])
  writeFileSync(join(writer, WRITER_FILE), JSON.stringify({ resource }))
  writeFileSync(
    join(writer, segmentName(1)),
    Buffer.concat([
      Buffer.from(line(1)),
      Buffer.from(line(4, 'x'.repeat(10_000_000))),
      Buffer.from(line(2)),
      binary,
      Buffer.from(line(3)),
      Buffer.from(line(5).slice(0, 30)),
    ]),
  )
  writeFileSync(join(writer, segmentName(2)), line(6))
  writeFileSync(join(writer, CLOSED_FILE), '')
}

/** A receiver of OTLP logs that can be taken down. */
export async function startDestination() {
  let isDown = false
  let refused = 0
  const server = createServer((request, response) => {
    request.resume()
    if (isDown) {
      refused++
      return response.writeHead(503, { 'retry-after': String(QUICK_RETRY_MS / 1000) }).end()
    }
    return response.setHeader('content-type', 'application/x-protobuf').end()
  })
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    refused: () => refused,
    down(state: boolean) {
      isDown = state
    },
    close: () => new Promise(resolve => server.close(resolve)),
  }
}
