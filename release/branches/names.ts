import { type Composition, type Concern, concerns, namesOf } from '../../app/concerns.ts'
import { type Step, steps } from '../../app/steps.ts'

const anyConcern = concerns.join('|')
/** `compute: 'threads'`, `logging === 'sidecar'`, `rendering: name = 'threads'`, `apm: ['none', 'sidecar']`. */
const chosen = new RegExp(
  `\\b(${anyConcern})\\s*(?::|===|=)\\s*(?:\\w+\\s*=\\s*)?(\\[[^\\]\\n]*\\]|'[\\w-]+')`,
  'g',
)
/** `'--compute', 'processes'`, `'--steps', '0-3'`. */
const flagged = new RegExp(`'--(${anyConcern}|steps?)',\\s*'([\\w,-]+)'`, 'g')

/** `selectRow('framework', …)`. */
const selected = /\bselectRows?\(\s*'([\w,-]+)'/g

/** The implementations and steps that a text names and that do not belong to this step. */
export function foreignNames(text: string, { name, composition }: Step): string[] {
  const choices = [...text.matchAll(chosen)].flatMap(([, concern, values = '']) =>
    [...values.matchAll(/'([\w-]+)'/g)].map(([, value]) => [concern, value] as Named),
  )
  const flags = [...text.matchAll(flagged)].map(([, flag, value]) => [flag, value] as Named)
  const rows = [...text.matchAll(selected)].map(([, value]) => ['step', value] as Named)
  return [...choices, ...flags, ...rows]
    .filter(([kind, value]) =>
      kind.startsWith('step')
        ? value !== name && isStep(value)
        : isOther(composition, kind as Concern, value),
    )
    .map(named => named.join(' '))
}

type Named = readonly [kind: string, value: string]

const isOther = (composition: Composition, concern: Concern, value: string) =>
  (namesOf(concern) as string[]).includes(value) && composition[concern] !== value

/** Whether a value is a step by name or number, or a list of steps. */
const isStep = (value: string) =>
  /^[\d,-]+$/.test(value) || steps.some(({ name }) => value.split(/[,-]/).includes(name))

/** The name of a branch, such as `step-3-framework`. */
export const branchOf = ({ number, name }: Step): string => `step-${number}-${name}`

/** The step before, if any. */
export const stepBefore = ({ number }: Step): Step | undefined => steps[number - 1]
