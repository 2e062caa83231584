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
/** The column of the texts. A longer flag has a line of its own. */
const TEXT_COLUMN = 26

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
  const own = Object.entries(table).map(
    ([key, option]) =>
      [`--${flagName(key)} ${option.placeholder ?? ''}`.trimEnd(), describeUse(option)] as const,
  )
  const rows = [...own, ['--help', 'print this and exit'] as const]
  return rows
    .flatMap(([flag, use]) => {
      const start = `  ${flag} `.padEnd(TEXT_COLUMN)
      const lines = wrap(use, width - TEXT_COLUMN)
      if (start.length > TEXT_COLUMN) lines.unshift('')
      return lines.map((line, index) => (index === 0 ? start : ' '.repeat(TEXT_COLUMN)) + line)
    })
    .map(line => line.trimEnd())
    .join('\n')
}

/** The help of an option, with its choices and its default. */
function describeUse({ help, choices, expected, default: standard }: Option<unknown>): string {
  const notes = [
    ...(choices ? [expected] : []),
    ...(standard && standard !== 'false' ? [`default ${standard}`] : []),
  ]
  return notes.length > 0 ? `${help} (${notes.join('; ')})` : help
}
