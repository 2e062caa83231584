#!/usr/bin/env node
import { runCommand } from '../lib/cli/command.ts'
import { dispatch } from '../lib/cli/dispatch.ts'
import { spectrum } from './commands/spectrum.ts'
import { versus } from './commands/versus.ts'
import { watch } from './commands/watch.ts'

await dispatch(
  'main-thread NAME [options]',
  'Says what the main thread of a Node.js service is busy with, what moving it away could bring, and whether it did.',
  {
    spectrum: () => runCommand(spectrum),
    versus: () => runCommand(versus),
    watch: () => runCommand(watch),
  },
)
