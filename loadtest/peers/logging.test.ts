import { test } from 'node:test'
import type { CreateLogSink } from '../../app/concerns/logging/contract.ts'
import { testLogging } from '../../app/concerns/logging/suite.fixture.ts'
import { peers } from './index.ts'
import { installed } from './install.ts'

/** Without its package a peer cannot even be loaded. */
const skip = installed() ? false : 'the peers are not installed; `npm run loadtest -- peers` does that'
/** Promises of the contract that a peer does not keep, so that its suite is left out. */
const unkept: Readonly<Record<string, string>> = {
  'pino-roll': 'its files have a number: app.log.1 and so on, and none is app.log',
  roarr: 'fields, level and message have places of their own in its lines',
}

for (const [name, load] of Object.entries(peers.logging)) {
  if (name in unkept) {
    test(`logging/${name}`, { todo: unkept[name] })
    continue
  }
  const module: { createLogSink?: CreateLogSink } = skip ? {} : await load()
  testLogging(name, options => module.createLogSink?.(options) as never, skip)
}
