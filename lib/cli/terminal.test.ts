import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable } from './terminal.ts'

const texts: readonly [text: string, shown: string][] = [
  ['plain "text" ü 😀 \\', 'plain "text" ü 😀 \\'],
  ['\u001b[2Jgone', '\\u001b[2Jgone'],
  ['one\ntwo\r\t', 'one\\u000atwo\\u000d\\u0009'],
  ['\u009b31m\u007f', '\\u009b31m\\u007f'],
  ['\u202egnp.exe\u2066', '\\u202egnp.exe\\u2066'],
]
for (const [text, shown] of texts)
  test(`${JSON.stringify(text)} is shown as ${shown}`, () => assert.equal(printable(text), shown))
