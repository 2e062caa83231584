import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'

/** The lengths of the talk, in minutes, for which the script has a plan. */
export const lengths = ['40', '25', '10'] as const
export type Length = (typeof lengths)[number]

/** A part of the script: a section of docs/talk.md. */
export interface Part {
  readonly title: string
  /** The paragraphs and blocks of the section, in Markdown. */
  readonly blocks: readonly string[]
  /** Its time for each length of the talk; 0 where it is left out. */
  readonly minutes: Readonly<Record<Length, number>>
}

const SCRIPT = join(import.meta.dirname, '../../docs/talk.md')

/** Reads the parts that the plan in docs/talk.md names, in its order. @throws UserError when a section is missing */
export function readScript(text = readFileSync(SCRIPT, 'utf8')): Part[] {
  const sections = new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map(section => {
        const [title = '', ...rest] = section.split('\n')
        return [title.trim(), rest.join('\n')]
      }),
  )
  const rows = [
    ...(sections.get('Plan') ?? '').matchAll(/^\| ([^|]+?) +\| +(\d+|-) \| +(\d+|-) \| +(\d+|-) \|$/gm),
  ]
  return rows.map(([, title = '', ...cells]) => {
    const section = sections.get(title)
    if (section === undefined) throw new UserError(`docs/talk.md plans "${title}", and has no such section`)
    const minutes = Object.fromEntries(lengths.map((length, index) => [length, Number(cells[index]) || 0]))
    return { title, blocks: blocksOf(section), minutes: minutes as Part['minutes'] }
  })
}

/** The paragraphs, lists and fenced code of a section; generated tables and marks are left out. */
const blocksOf = (section: string): string[] =>
  section
    .replaceAll(/<!-- results (\w+) -->.*?<!-- \/results \1 -->/gs, '')
    .replaceAll(/<!--.*?-->/g, '')
    .split(/\n{2,}/)
    .map(block => block.trim())
    .filter(block => block !== '')

/** The paragraph that begins with this word in bold, such as `Question`, without it; undefined if there is none. */
export const paragraphOf = ({ blocks }: Part, word: string): string | undefined => {
  const found = blocks.find(block => block.startsWith(`**${word}`))
  return found?.replace(/^\*\*[^*]*\*\*\s*/, '')
}
