import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Linked, LinkedList } from '../../lib/main-thread/linked-list.ts'
import type { Case } from './sample-thread.ts'

/** Members that are in a collection at the same time, as requests are in flight. */
const MEMBERS = 50
/** Young objects that a member keeps alive: a request has more. */
const OBJECTS = 300

/** A member of a collection, with a number of its own. */
interface Member extends Linked<Member> {
  readonly id: number
  readonly objects: readonly object[]
}

interface Collection {
  add(member: Member): void
  delete(member: Member): void
}

setFlagsFromString('--expose-gc')
const collectAll = runInNewContext('gc') as () => void

export type CaseName = keyof typeof cases
export const OURS = 'linked list'

export const cases = {
  [OURS]: comeAndGo(() => {
    const list = new LinkedList<Member>()
    return { add: member => list.add(member), delete: member => list.delete(member) }
  }),
  Set: comeAndGo(() => {
    const set = new Set<Member>()
    return { add: member => set.add(member), delete: member => set.delete(member) }
  }),
  Map: comeAndGo(() => {
    const map = new Map<number, Member>()
    return { add: member => map.set(member.id, member), delete: ({ id }) => map.delete(id) }
  }),
}

/** Each call adds a new member and removes the oldest. The collection is old, like one that a process keeps. */
function comeAndGo(create: () => Collection): Case {
  return () => {
    const collection = create()
    const present = Array.from({ length: MEMBERS }, (_, id) => createMember(id))
    for (const member of present) collection.add(member)
    collectAll()
    let added = MEMBERS
    return () => {
      const place = added % MEMBERS
      const member = createMember(added++)
      collection.delete(present[place] as Member)
      collection.add(member)
      present[place] = member
    }
  }
}

const createMember = (id: number): Member => ({
  id,
  objects: Array.from({ length: OBJECTS }, (_, index) => ({ index, text: `object ${index}` })),
  previous: undefined,
  next: undefined,
})
