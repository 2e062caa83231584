import { createServer, type Server } from 'node:http'
import { encodeRecommendations } from '../../orders/encoded.ts'
import { OrderList } from '../../orders/messages.ts'
import { mediaTypes, type Order } from '../../orders/order.ts'
import { createOrdersServer } from '../../orders/server.ts'

/** Texts that show a missing escape, or are too wide for their place. */
export const awkwardTexts = [
  '</script><script>document.title = "taken"</script>',
  '<!-- <script> <![CDATA[',
  '👩‍🚀 👨‍👩‍👧‍👦 🇳🇱 e\u0301',
  'שלום עולם (אבג) 12',
  'مرحبا بالعالم، طلب رقم ١٢',
  `"quotes" & 'apostrophes' &amp; &lt;b&gt; \\u003c`,
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
] as const

export const seeds = {
  /** The orders and recommendations of this seed have the awkward texts. */
  awkward: 6001,
  /** For this seed there are orders, but the request for recommendations fails. */
  withoutRecommendations: 6002,
  /** The first of the three orders of this seed cannot be shown. */
  broken: 6003,
} as const

const textAt = (index: number) => awkwardTexts[index % awkwardTexts.length] as string

/** The orders in the order of the page. The first text is that of the customer. */
const awkwardOrders: readonly Order[] = awkwardTexts.map((customer, index) => ({
  id: index + 1,
  details: {
    customer,
    product: textAt(index + 1),
    city: textAt(index + 2),
    status: textAt(index + 3),
    placedAt: '2026-03-01T00:00:00.000Z',
  },
  amounts: { quantity: 1, unitPrice: 1, discount: 0, tax: 0, total: 123_456_789.5 },
}))

const awkwardRecommendations = awkwardTexts.map((product, index) => ({
  id: index,
  product,
  reason: textAt(index + 1),
  unitPrice: 1,
}))

/** The day of the first order is not a date. */
const brokenOrders = awkwardOrders.slice(0, 3).map(({ details, ...order }, index) => ({
  ...order,
  details: details && { ...details, placedAt: index === 0 ? 'soon' : details.placedAt },
}))

const encode = (orders: readonly Order[]) => OrderList.encode({ orders }).finish()

/** Bodies by path and seed; null for a failure. */
const answers: Readonly<Record<string, Uint8Array | null>> = {
  [`/orders ${seeds.awkward}`]: encode(awkwardOrders),
  [`/orders ${seeds.broken}`]: encode(brokenOrders),
  [`/recommendations ${seeds.awkward}`]: encodeRecommendations.protobuf(awkwardRecommendations),
  [`/recommendations ${seeds.withoutRecommendations}`]: null,
}

/** The ordinary upstream with special answers for some seeds. It waits for `beforeRecommendations`. */
export function createUpstream(beforeRecommendations: Promise<void> = Promise.resolve()): Server {
  const ordinary = createOrdersServer({})
  return createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url as string, 'http://upstream')
    if (pathname === '/recommendations') await beforeRecommendations
    const answer = answers[`${pathname} ${searchParams.get('seed')}`]
    if (answer === null) response.writeHead(500).end()
    else if (answer) response.writeHead(200, { 'content-type': mediaTypes.protobuf }).end(answer)
    else ordinary.emit('request', request, response)
  })
}
