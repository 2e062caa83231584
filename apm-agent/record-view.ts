import type { Attributes } from '@opentelemetry/api'
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions'
import { FAILED, field, type Memory, methods, protocolVersions, recordKinds, SAMPLED } from './protocol.ts'

/** `host`, `host:port`, or an origin such as `http://host:port`. */
const AUTHORITY = /^(?:(?<scheme>\w+):\/\/)?(?<host>.*?)(?::(?<port>\d+))?$/

/** Reads one record in place. The same view is moved from record to record. */
export class RecordView {
  readonly #strings: readonly string[]
  #memory: Memory | undefined
  #at = 0

  /** @param strings the strings by their ids */
  constructor(strings: readonly string[]) {
    this.#strings = strings
  }

  moveTo(memory: Memory, at: number): void {
    this.#memory = memory
    this.#at = at
  }

  get kind(): number {
    return this.uint16(field.kind)
  }

  get isSampled(): boolean {
    return (this.uint16(field.flags) & SAMPLED) !== 0
  }

  get hasFailed(): boolean {
    return (this.uint16(field.flags) & FAILED) !== 0
  }

  get status(): number {
    return this.uint16(field.status)
  }

  get name(): string | undefined {
    return this.#string(field.name)
  }

  get method(): string {
    return methods[this.uint16(field.method)] ?? '_OTHER'
  }

  get startMs(): number {
    return this.#float64(field.startMs)
  }

  get durationMs(): number {
    return this.#float64(field.durationMs)
  }

  get waitMs(): number {
    return this.#float32(field.waitMs)
  }

  get runMs(): number {
    return this.#float32(field.runMs)
  }

  hex(offset: number, bytes: number): string {
    return (this.#memory as Memory).bytes.toString('hex', this.#at + offset, this.#at + offset + bytes)
  }

  uint16(offset: number): number {
    return (this.#memory as Memory).uint16[(this.#at + offset) >> 1] as number
  }

  /** The value of `error.type`: the class of the error, or the status if it is an error for this side of the call. */
  get errorType(): string | undefined {
    const firstError = this.kind === recordKinds.server ? 500 : 400
    return this.#string(field.errorType) || (this.status >= firstError ? String(this.status) : undefined)
  }

  /** The attributes by which the metrics of server requests are grouped; their spans have them too. */
  describeRequest(): Attributes {
    return withoutUndefined({
      [ATTR_HTTP_REQUEST_METHOD]: this.method,
      [ATTR_URL_SCHEME]: this.#parseAuthority().scheme,
      [ATTR_NETWORK_PROTOCOL_VERSION]: protocolVersions[this.uint16(field.protocolVersion)],
      [ATTR_HTTP_ROUTE]: this.name || undefined,
      [ATTR_HTTP_RESPONSE_STATUS_CODE]: this.status || undefined,
      [ATTR_ERROR_TYPE]: this.errorType,
    })
  }

  /** The attributes of a request, and the address of the server. */
  describeCall(): Attributes {
    const { scheme, host, port = scheme === 'https' ? 443 : 80 } = this.#parseAuthority()
    const server = host ? { [ATTR_SERVER_ADDRESS]: host, [ATTR_SERVER_PORT]: Number(port) } : {}
    return { ...this.describeRequest(), ...server }
  }

  /** The attributes of a span of own code. A sender that wrote no valid ones has none. */
  describeOwn(): Attributes {
    try {
      return Object(JSON.parse(this.#string(field.attributes) || '{}'))
    } catch {
      return {}
    }
  }

  #parseAuthority() {
    const authority = this.#string(field.authority) ?? ''
    const { scheme = 'http', host, port } = AUTHORITY.exec(authority)?.groups ?? {}
    // A client chooses its Host header, so nothing but the host is taken from it.
    return this.kind === recordKinds.server ? { scheme: 'http', host, port } : { scheme, host, port }
  }

  #string(offset: number): string | undefined {
    return this.#strings[this.uint16(offset)]
  }

  #float64(offset: number): number {
    return (this.#memory as Memory).float64[(this.#at + offset) >> 3] as number
  }

  #float32(offset: number): number {
    return (this.#memory as Memory).float32[(this.#at + offset) >> 2] as number
  }
}

const withoutUndefined = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
