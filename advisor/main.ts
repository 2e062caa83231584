#!/usr/bin/env node
import { dispatch, runCommand } from '../lib/cli/command.ts'
import { spectrum } from './commands/spectrum.ts'
import { versus } from './commands/versus.ts'
import { whatIf } from './commands/what-if.ts'

await dispatch(
  'main-thread NAME [options]',
  `Says what the main thread of a Node.js service is busy with, what moving it away could bring, and whether it did.

"spectrum" splits its CPU time by concern, "what-if" tries what a spectrum predicts, and "versus" compares two versions of a service.`,
  {
    spectrum: () => runCommand(spectrum),
    versus: () => runCommand(versus),
    'what-if': () => runCommand(whatIf),
  },
)
