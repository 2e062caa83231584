import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrameReader, frame, opcodes } from './frames.ts'

/** A frame as a server sends it: without a mask. */
function serverFrame(first: number, payload: Buffer): Buffer {
  if (payload.length < 126) return Buffer.concat([Buffer.from([first, payload.length]), payload])
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = 127
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}

test('messages arrive whole, in whatever pieces their frames come', () => {
  const long = Buffer.from('y'.repeat(70_000))
  const bytes = Buffer.concat([
    serverFrame(0x81, Buffer.from('one')),
    serverFrame(0x01, Buffer.from('two, ')),
    serverFrame(0x89, Buffer.from('ping')),
    serverFrame(0x80, Buffer.from('continued')),
    serverFrame(0x81, long),
  ])
  for (const size of [1, 2, 7, 1000, bytes.length]) {
    const heard: [number, string][] = []
    const reader = new FrameReader((opcode, payload) => heard.push([opcode, payload.toString()]))
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
    assert.deepEqual(heard, [
      [opcodes.text, 'one'],
      [opcodes.ping, 'ping'],
      [opcodes.text, 'two, continued'],
      [opcodes.text, long.toString()],
    ])
  }
})

test('what a client sends is masked, and has the length in the shortest form', () => {
  for (const [length, headSize] of [
    [5, 2],
    [126, 4],
    [65_536, 10],
  ] as const) {
    const payload = Buffer.alloc(length, 'z')
    const sent = frame(opcodes.text, payload)
    assert.equal(sent.length, headSize + 4 + length)
    assert.ok((sent[1] as number) & 0x80)
    const mask = sent.subarray(headSize, headSize + 4)
    const unmasked = sent.subarray(headSize + 4).map((byte, index) => byte ^ (mask[index % 4] as number))
    assert.deepEqual(Buffer.from(unmasked), payload)
  }
})
