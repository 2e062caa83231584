import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ThreadRequest } from './thread-request.ts'

interface Sent {
  readonly url?: string
  readonly method?: string
  readonly rawHeaders?: readonly string[]
  readonly body?: string | Uint8Array
}

const requestOf = ({ url = '/', method = 'GET', rawHeaders = ['Host', 'shop.example'], body }: Sent) =>
  new ThreadRequest({
    url,
    method,
    rawHeaders,
    body,
    props: {},
    late: [],
    nonce: undefined,
    mode: 'stream',
    shellDeadline: 0,
    pageDeadline: 0,
  })

describe('the URL of a request', () => {
  test('has the host of the request and the path as it was sent', () => {
    for (const [url, whole] of [
      ['/a?b=1', 'http://shop.example/a?b=1'],
      ['//', 'http://shop.example//'],
      ['//other.example/a', 'http://shop.example//other.example/a'],
      ['/\\other.example/', 'http://shop.example//other.example/'],
      ['http://other.example/a', 'http://other.example/a'],
      ['*', 'http://shop.example/*'],
    ] as const)
      assert.equal(requestOf({ url }).toRequest().url, whole)
  })

  test('is a mistake of the client with an odd host or a password, and so is a method that the web does not have', () => {
    const hosts = ['', 'a b', 'x:99999', 'user@shop.example', 'shop.example/a', 'a\\b', 'a?b', 'a#b']
    const sent: Sent[] = hosts.map(host => ({ rawHeaders: ['host', host] }))
    for (const each of [...sent, { url: 'http://a:b@other.example/' }, { method: 'TRACE' }])
      assert.throws(() => requestOf(each).toRequest(), { statusCode: 400 }, JSON.stringify(each))
  })

  test('has the host and the scheme of HTTP/2, whose other headers are as with HTTP/1.1', () => {
    const rawHeaders = ':method GET :scheme https :authority shop.example :path /a x-a 1'.split(' ')
    const request = requestOf({ url: '/a', rawHeaders })
    assert.deepEqual(
      [...request.headers],
      [
        ['host', 'shop.example'],
        ['x-a', '1'],
      ],
    )
    assert.equal(request.toRequest().url, 'https://shop.example/a')
  })
})

describe('the body of a request', () => {
  test('is there as often as it is asked for', async () => {
    const request = requestOf({ method: 'POST', body: Buffer.from('a=1') })
    assert.equal(await request.toRequest().text(), 'a=1')
    assert.equal(await request.toRequest().text(), 'a=1')
    assert.equal(String(request.body), 'a=1')
    assert.equal(requestOf({ method: 'GET', body: 'a=1' }).toRequest().body, null)
  })

  test('is an error when it is read, if somebody had read it before', async () => {
    const rawHeaders = ['host', 'shop.example', 'content-length', '5']
    const request = requestOf({ method: 'POST', rawHeaders }).toRequest()
    assert.equal(request.url, 'http://shop.example/')
    await assert.rejects(request.text(), /was read before/)
    assert.equal(await requestOf({ method: 'POST' }).toRequest().text(), '')
  })
})
