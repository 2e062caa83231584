import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { before, describe, test } from 'node:test'
import { type Outcome, runCommandLines } from '../test/run-command.ts'
import { commands } from './commands/index.ts'

const TOO_MANY_CORES = String(availableParallelism() + 1)

describe('the load test', () => {
  const helps = Object.keys(commands).map(name => [name, '--help'])
  const mistakes: readonly [string[], RegExp][] = [
    [['nonsense'], /^error: there is no command "nonsense"; the commands are run, aa, /],
    [['aa', '--steps', '0-1'], /^error: .*--steps/],
    [['--handicap', '3%'], /^error: --handicap compares one step with itself/],
    [['--rounds', '2', '--budget', '1m'], /^error: --budget adds blocks/],
    [['--branch', 'no-such-branch'], /^error: there is no branch "no-such-branch" in this repository/],
    [['--branch', 'main', '--spectrum', 'yes'], /^error: --branch measures another app/],
    [['--ablation', '--node', '22'], /^error: --ablation and --node exclude each other/],
    [['--ablation', '--steps', '0'], /^error: --ablation chooses the rows/],
    [['--own-requests', '--quick'], /^error: --own-requests starts up to 14 stacks/],
    [['open', '--rate', '9', '--load', '30%'], /^error: --rate and --load exclude each other/],
    [
      ['cores', '--real', '--cores', TOO_MANY_CORES],
      /^error: clients and upstream need a real core of their own: --cores expects at most \d+/,
    ],
    [['isolation', '--rate', '0'], /^error: --rate expects a list of integers/],
  ]
  const lines = [...helps, ...mistakes.map(([args]) => args)]
  let outcomes: readonly Outcome[]
  before(async () => {
    outcomes = await runCommandLines(lines.map(args => ['loadtest/main.ts', ...args]))
  })
  const outcomeOf = (args: string[]) => outcomes[lines.indexOf(args)] as Outcome

  for (const args of helps) {
    const [name] = args
    test(`${name} has help of its own`, () => {
      const { stdout, code } = outcomeOf(args)
      assert.equal(code, 0)
      assert.ok(stdout.startsWith(`Usage: npm run loadtest -- ${name === 'run' ? '[run]' : name}`), stdout)
    })
  }

  for (const [args, message] of mistakes) {
    test(`answers ${args.join(' ')} with one line`, () => {
      const { stderr, code } = outcomeOf(args)
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.equal(stderr.trimEnd().split('\n').length, 1)
    })
  }
})
