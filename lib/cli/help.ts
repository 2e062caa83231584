import { flagName, variableName } from './command-line.ts'
import type { Option, OptionTable } from './options.ts'
import { wrap, wrapParagraphs } from './terminal.ts'

interface Described {
  /** The line after `Usage:`. */
  readonly usage: string
  readonly description: string
  readonly options: OptionTable
}

/** Longer lines are hard to read. */
const MOST_COLUMNS = 110
const GAP = 2
/** The largest share of a line that flags take. A longer flag has a line of its own. */
const FLAGS_SHARE = 0.42

/** The text of `--help`, wrapped at words to a width in characters. */
export function helpText({ usage, description, options }: Described, terminalColumns: number): string {
  const width = Math.min(terminalColumns, MOST_COLUMNS)
  return `${wrap(`Usage: ${usage}`, width).join('\n')}

${wrapParagraphs(description, width)}

${wrap(`Options (each also as an environment variable: --x-y is ${variableName('xY')}):`, width).join('\n')}
${describeOptions(options, width)}
`
}

function describeOptions(table: OptionTable, width: number): string {
  const rows = [
    ...Object.entries(table).map(
      ([key, option]) => [describeFlag(key, option), describeUse(option)] as const,
    ),
    ['--help', 'print this and exit'] as const,
  ]
  const allowed = rows.map(([flag]) => flag.length).filter(length => length <= width * FLAGS_SHARE)
  const flagsWidth = Math.max(...allowed)
  const indent = ' '.repeat(GAP + flagsWidth + GAP)
  return rows
    .flatMap(([flag, use]) => {
      const lines = wrap(use, width - indent.length).map(line => `${indent}${line}`)
      const start = `${' '.repeat(GAP)}${flag}`
      if (flag.length > flagsWidth) return [start, ...lines]
      const [first = '', ...others] = lines
      return [start.padEnd(indent.length) + first.trimStart(), ...others]
    })
    .join('\n')
}

const describeFlag = (key: string, { placeholder }: Option<unknown>) =>
  `--${flagName(key)}${placeholder ? ` ${placeholder}` : ''}`

/** The help of an option, with its choices and its default. */
function describeUse({ help, choices, expected, default: standard }: Option<unknown>): string {
  const notes = [
    ...(choices ? [expected] : []),
    ...(standard && standard !== 'false' ? [`default ${standard}`] : []),
  ]
  return notes.length > 0 ? `${help} (${notes.join('; ')})` : help
}
