import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptions, toArguments, toFlags, withoutOptions } from './command-line.ts'
import { choice, choices, duration, integer, integers, names, percent, text, toggle, url } from './options.ts'
import { UserError } from './user-error.ts'

const table = {
  port: integer({ min: 0, max: 65535, default: '3000', help: '' }),
  requestTimeoutMs: duration({ default: '10s', help: '' }),
  step: choice({ choices: ['one', 'two'], help: '' }),
  compute: choices({ choices: ['inline', 'threads'], help: '' }),
  ordersUrl: url({ default: 'http://127.0.0.1:1', help: '' }),
  host: text({ placeholder: 'HOST', default: 'localhost', help: '' }),
  handicapPercent: percent({ min: 0, max: 50, help: '' }),
  rate: integers({ min: 1, max: 1000, help: '' }),
  json: toggle({ help: '' }),
}
const defaults = parseOptions(table, []).values

describe('options', () => {
  test('have their defaults, or none', () => {
    assert.deepEqual(defaults, {
      port: 3000,
      requestTimeoutMs: 10_000,
      step: undefined,
      compute: undefined,
      ordersUrl: 'http://127.0.0.1:1',
      host: 'localhost',
      handicapPercent: undefined,
      rate: undefined,
      json: false,
    })
  })

  test('are taken from the flag before the variable before the default', () => {
    assert.equal(parseOptions(table, ['--port', '1'], { DMT_PORT: '2' }).values.port, 1)
    assert.equal(parseOptions(table, [], { DMT_PORT: '2' }).values.port, 2)
    assert.equal(parseOptions(table, [], { PORT: '2' }).values.port, 3000)
    assert.equal(parseOptions(table, [], { DMT_PORT: '' }).values.port, 3000)
    assert.equal(parseOptions(table, [], { DMT_REQUEST_TIMEOUT: '1.5s' }).values.requestTimeoutMs, 1500)
    assert.equal(parseOptions(table, [], { DMT_JSON: 'true' }).values.json, true)
  })

  test('leave other arguments as words', () => {
    assert.deepEqual(parseOptions(table, ['run', '--json', 'again']).words, ['run', 'again'])
  })

  test('have the same values after a conversion to flags and back', () => {
    const args = [
      ...'--port 0 --request-timeout 5ms --compute threads,inline --json --handicap 2.5% --rate'.split(' '),
      '1,2',
    ]
    const { values } = parseOptions(table, args)
    assert.deepEqual(parseOptions(table, toFlags(values)), { values, words: [] })
  })

  test('that are absent or off give no flag', () => {
    assert.deepEqual(toFlags({ step: undefined, json: false, port: 0 }), ['--port=0'])
  })

  test('that may be secret are given to a child process by its environment', () => {
    const secret = { collectorUrl: url({ help: '' }), port: table.port }
    const given = { collectorUrl: 'http://user:pass@127.0.0.1:1', port: 1 }
    const { flags, env } = toArguments(secret, given)
    assert.deepEqual(flags, ['--port=1'])
    assert.deepEqual(parseOptions(secret, flags, env).values, given)
    assert.deepEqual(toArguments(secret, { collectorUrl: undefined }), { flags: [], env: {} })
  })

  test('that are names skip what is empty between commas', () => {
    const { values } = parseOptions({ targets: names({ help: '' }) }, ['--targets', 'a,,b,'])
    assert.deepEqual(values.targets, ['a', 'b'])
  })

  test('are frozen', () => {
    assert.throws(() => Object.assign(defaults, { port: 1 }), TypeError)
  })

  const mistakes: readonly [args: string[], env: Record<string, string>, message: RegExp][] = [
    [['--port', 'abc'], {}, /^--port expects an integer from 0 to 65535, received "abc"$/],
    [['--port=-1'], {}, /^--port expects an integer from 0 to 65535, received "-1"$/],
    [['--port', '-1'], {}, /--port/],
    [['--request-timeout', '5'], {}, /^--request-timeout expects a duration such as 5ms/],
    [['--step', 'three'], {}, /^--step expects one of one, two/],
    [['--compute', 'inline,'], {}, /^--compute expects a list of inline, threads/],
    [['--orders-url', 'ftp://a'], {}, /^--orders-url expects a URL/],
    [['--handicap', '3'], {}, /^--handicap expects a share such as 3%/],
    [['--handicap', '51%'], {}, /^--handicap expects .* from 0% to 50%/],
    [['--rate', '1,,2'], {}, /^--rate expects a list of integers from 1 to 1000/],
    [['--nonsense'], {}, /--nonsense'?; --help lists the options$/],
    [['--orders-url', 'http://'], {}, /^--orders-url expects a URL/],
    [['--host', ''], {}, /^--host expects some text/],
    [['--json=true'], {}, /--json.*; --help lists the options$/],
    [['--port', 'abc'], { DMT_PORT: '1' }, /^--port expects an integer/],
    [[], { DMT_PORT: 'abc' }, /^DMT_PORT expects an integer/],
    [['--request-timeout', '99999m'], {}, /^--request-timeout expects/],
    [['--orders.url', 'x'], {}, /--orders\.url/],
    [['--port', '1\n2'], {}, /^--port expects/],
    [[], { DMT_JSON: 'yes' }, /^DMT_JSON expects true or false, received "yes"$/],
    [[], { DMT_REQUEST_TIMEOUT: '-1s' }, /^DMT_REQUEST_TIMEOUT expects/],
  ]
  for (const [args, env, message] of mistakes) {
    test(`answer ${JSON.stringify(args)} ${JSON.stringify(env)} with one line`, () => {
      assert.throws(
        () => parseOptions(table, args, env),
        (error: unknown) =>
          error instanceof UserError && message.test(error.message) && !error.message.includes('\n'),
      )
    })
  }
})

test('a child process whose options are flags gets none of our variables', () => {
  assert.deepEqual(withoutOptions({ DMT_HOST: 'a', HOST: 'b', OTEL_SERVICE_NAME: 'c' }), {
    HOST: 'b',
    OTEL_SERVICE_NAME: 'c',
  })
})
