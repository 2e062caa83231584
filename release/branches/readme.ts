import { concerns } from '../../app/concerns.ts'
import { type Step, steps } from '../../app/steps.ts'
import { renderMarkdownTable } from '../../lib/cli/columns.ts'
import { wordOf } from '../../lib/verdict.ts'
import { sayTimes } from '../../loadtest/outcome/format.ts'
import type { Results } from '../../loadtest/outcome/results.ts'
import { findOnOwnRequest } from '../../loadtest/sample/compared-rows.ts'
import { type Tree, textOf } from './git.ts'
import { branchOf, quotedSlidePaths, stepBefore } from './rules.ts'

/** The README of a step's branch. It names only things that the step uses. */
export function readmeFor(whole: Tree, step: Step): string {
  const { number, name } = step
  const before = stepBefore(step)
  const next = steps[number + 1]
  return `# Step ${number}: ${name}

${whyOf(whole, step)}

This branch holds what this step uses and nothing else: its implementations, their dependencies and a test of the running service. \`main\`
has all steps, what compares them, the containers and the docs. It also has, at every step, what operates a service and teaches no
step: admission control, circuit breakers, deadlines for answers, fault switches, several instances.

## Use it

\`\`\`sh
npm ci && npm test               # git, npm and Node.js 22.19 or later; npm ci installs the Node.js that is measured
npm start                        # http://127.0.0.1:3000/demo and /page
npm run loadtest                 # in a second terminal: answers a second, latency, CPU time of the main thread
\`\`\`

${
  step.composition.apm === 'sidecar'
    ? 'Prometheus finds metrics at http://127.0.0.1:3003/metrics.'
    : 'Metrics and spans go to the OTLP receiver that `OTEL_EXPORTER_OTLP_ENDPOINT` names.'
}

## What to look at

${lookAt(step, before)}

## Its parts

${renderMarkdownTable(concerns, [
  { title: 'concern', cell: concern => concern },
  { title: 'implementation', cell: concern => `\`app/concerns/${concern}/${step.composition[concern]}.ts\`` },
  { title: 'since step', cell: concern => String(sinceWhen(step, concern)) },
])}

${next ? `Next: \`git checkout ${branchOf(next)} && npm ci\` moves ${next.name}.` : 'This is the last step.'}
`
}

function lookAt(step: Step, before: Step | undefined): string {
  const { name, composition } = step
  if (!before)
    return '`app/main.ts`, `app/app.ts` and `app/create-concerns.ts`: what the service is put together from.'
  const file = `app/concerns/${name}/${composition[name as keyof typeof composition]}.ts`
  const range = `${branchOf(before)} ${branchOf(step)}`
  return `\`git diff ${range} -- ${quotedSlidePaths}\` is the slide; begin with
\`${file}\`. \`git diff ${range}\` shows the whole change.`
}

/** The reason of a step, and what it brought on the request that it is about, as far as that was measured. */
export function whyOf(whole: Tree, step: Step): string {
  const run = whole.get('docs/results/ownRequests.json')
  const { steps = [] }: Partial<Results> = run ? JSON.parse(run.content.toString()) : {}
  const found = findOnOwnRequest(step.name, steps)
  const ratio = found?.row.versusPrevious?.mainThreadMicros
  const brought =
    ratio &&
    `On its own request (${found.request}), the main thread then spends ${sayTimes(ratio)} the CPU time of the step
before: \`${wordOf(ratio.verdict, 'lower')}\`. The brackets hold the 95 % interval; \`npm run loadtest -- --own-requests\` measures it on \`main\`.`
  return [reasonOf(whole, step), brought].filter(Boolean).join('\n\n')
}

/** The number of the step that introduced this implementation. */
const sinceWhen = ({ composition }: Step, concern: keyof Step['composition']) =>
  steps.find(step => step.composition[concern] === composition[concern])?.number

const FIRST_STEP = `Everything runs on the main thread, as a competent team would ship it: production mode, each library set
up as its manual says. Nothing is slow on purpose. Every request waits on this one thread.`

/** The doc comment of the exported function that creates a concern: its last lines before `export const create…`. */
const docComment = /\/\*\*((?:(?!\*\/).)*)\*\/\nexport const create/s

/**
 * The reason for a step: the doc comment of the implementation that the step moves its concern to.
 * @throws Error when that implementation has no doc comment
 */
function reasonOf(whole: Tree, { name, composition }: Step): string {
  if (name === 'monolith') return FIRST_STEP
  const path = `app/concerns/${name}/${composition[name]}.ts`
  const [, comment] = docComment.exec(textOf(whole, path)) ?? []
  if (!comment) throw new Error(`${path} has no doc comment with the reason for step ${name}`)
  return comment
    .split('\n')
    .map(line => line.replace(/^ *\*? ?/, ''))
    .join('\n')
    .trim()
}
