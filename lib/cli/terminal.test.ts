import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable, printableJson } from './terminal.ts'

const texts: readonly [text: string, shown: string][] = [
  ['plain "text" ü 😀 \\', 'plain "text" ü 😀 \\'],
  ['\u001b[2Jgone', '\\u001b[2Jgone'],
  ['one\ntwo\r\t', 'one\\u000atwo\\u000d\\u0009'],
  ['\u009b31m\u007f', '\\u009b31m\\u007f'],
  ['\u202egnp.exe\u2066', '\\u202egnp.exe\\u2066'],
]
for (const [text, shown] of texts) {
  test(`${JSON.stringify(text)} is shown as ${shown}`, () => assert.equal(printable(text), shown))

  test(`${JSON.stringify(text)} cannot control a terminal from within JSON`, () => {
    const parsed = JSON.parse(printableJson(JSON.stringify({ [text]: [text] })))
    const [[name, [value]]] = Object.entries<string[]>(parsed) as [[string, [string]]]
    assert.equal(printable(name), name)
    assert.equal(name, value)
    // Escaping must not change the meaning: parsing the text once more gives the original.
    assert.equal(text === shown ? name : JSON.parse(`"${name}"`), text)
  })
}
