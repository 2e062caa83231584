import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { agentOptions } from '../../apm-agent/options.ts'
import { parseOptions } from '../../lib/cli/command-line.ts'
import type { OptionTable } from '../../lib/cli/options.ts'
import { transportOptions } from '../../logger-transport/options.ts'
import { ROOT } from './manifest.ts'

/** The options of the commands, by their names. */
const commands: Readonly<Record<string, OptionTable>> = {
  'apm-agent': agentOptions,
  'logger-transport': transportOptions,
}

interface Pod {
  readonly spec: {
    readonly initContainers: readonly { readonly command: string[]; readonly args: string[] }[]
  }
}

/** Reads the command lines of the sidecars in an example, by the end of its name. */
const readers: Readonly<Record<string, (text: string) => string[][]>> = {
  service: text => [...text.matchAll(/^ExecStart=(.*)$/gm)].map(([, line = '']) => line.split(' ')),
  yaml: text => (parse(text) as Pod).spec.initContainers.map(({ command, args }) => [...command, ...args]),
}

for (const file of globSync('{apm-agent,logger-transport}/examples/*', { cwd: ROOT }))
  test(`${file} starts a command with options that it has`, () => {
    const read = readers[file.split('.').at(-1) as string] as (text: string) => string[][]
    const lines = read(readFileSync(join(ROOT, file), 'utf8'))
    assert.ok(lines.length > 0)
    for (const line of lines) {
      const at = line.findIndex(word => basename(word) in commands)
      const options = commands[basename(line[at] as string)] as OptionTable
      assert.deepEqual(parseOptions(options, line.slice(at + 1)).words, [])
    }
  })
