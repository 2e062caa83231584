import type { Command } from '../../lib/cli/command.ts'
import type { OptionTable } from '../../lib/cli/options.ts'
import { spectrum } from './spectrum.ts'
import { versus } from './versus.ts'
import { watch } from './watch.ts'

/** The commands by name. */
// biome-ignore lint/suspicious/noExplicitAny: each command has a table of options of its own
export const commands: Readonly<Record<string, Command<any & OptionTable>>> = { spectrum, versus, watch }
