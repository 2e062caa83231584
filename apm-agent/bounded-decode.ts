import protobuf from 'protobufjs'

/** Ten thousand spans are ten thousand fields, and a metric point with five attributes has about twenty. */
const MAX_FIELDS = 200_000
/** The wire type of a field with a length: a message, a text or bytes. */
const WITH_LENGTH = 2

/**
 * Decodes a message whose fields need no more memory than a body may cost. Two bytes are enough for an empty message, which
 * becomes an object of a hundred.
 * @throws when the bytes are not such a message, or have too many fields
 */
export function decodeBounded(type: protobuf.Type, bytes: Uint8Array): protobuf.Message {
  countFields(type, protobuf.Reader.create(bytes), bytes.length, 0)
  return type.decode(bytes)
}

/** @returns the number of fields so far */
function countFields(type: protobuf.Type, reader: protobuf.Reader, end: number, before: number): number {
  let count = before
  while (reader.pos < end) {
    if (++count > MAX_FIELDS) throw new RangeError(`it has more than ${MAX_FIELDS} fields`)
    const tag = reader.uint32()
    const inner = type.fieldsById[tag >>> 3]?.resolve().resolvedType
    if (inner instanceof protobuf.Type && (tag & 7) === WITH_LENGTH) {
      const length = reader.uint32()
      count = countFields(inner, reader, reader.pos + length, count)
    } else reader.skipType(tag & 7)
  }
  return count
}
