/** Keeps a pinned stack, and prints the cores of this process and those of its load generator. */
import { readFileSync } from 'node:fs'
import { floorRow } from '../floor/rows.ts'
import { readCores } from './cores.ts'
import { keepStacks } from './kept-stacks.ts'
import { listChildren } from './machine.ts'
import type { SampleSettings } from './sample.ts'

const settings = { scenario: 'hello', pin: true } as SampleSettings
const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')

const kept = await keepStacks([floorRow], settings, new AbortController().signal)
const generators = listChildren(process.pid).filter(pid => commandOf(pid).includes('generator/main.ts'))
console.log([process.pid, ...generators].map(pid => readCores(pid).join()).join(' '))
await kept.stop()
