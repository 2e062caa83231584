import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { significantText } from './reached.ts'

const CODE =
  "import { ask } from './ask.ts'\nexport const twice = (value: number) => ask(...[value, 2 * value])\n"
const isSame = (other: string) => significantText('a.ts', other) === significantText('a.ts', CODE)

describe('the code of a measured process', () => {
  test('stays the same with other comments, types and line breaks', () =>
    assert.ok(isSame(CODE.replace('=> ', '=>\n  /* asks */ ').replace(': number', ''))))

  test('stays the same with other names that only its file knows', () =>
    assert.ok(
      isSame(
        CODE.replaceAll('value', 'amount')
          .replace('{ ask }', '{ ask as inquire }')
          .replace('ask(', 'inquire('),
      ),
    ))

  for (const [what, from, to] of [
    ['operator', '*', '+'],
    ['number', '2', '3'],
    ['import', 'ask.ts', 'tell.ts'],
    ['export', 'twice', 'double'],
    ['use of a name', '[value, 2', '[2, 2'],
  ] as const)
    test(`is another with another ${what}`, () => assert.ok(!isSame(CODE.replace(from, to))))
})
