import { seededRandom } from '../lib/random.ts'
import {
  type Amounts,
  type Details,
  MAX_ORDERS,
  MAX_RECOMMENDATIONS,
  type Order,
  type Payload,
  type Recommendation,
} from './order.ts'

const customers = [
  'Ada Lovelace',
  'Grace Hopper',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'Alan Turing',
  'Radia Perlman',
]
const products = [
  'Mechanical keyboard',
  'Ultrawide monitor',
  'Standing desk',
  'Noise-cancelling headset',
  'Desk lamp',
]
const cities = ['Amsterdam', 'Bologna', 'Coimbra', 'Dresden', 'Edinburgh', 'Freiburg', 'Ghent']
const statuses = ['placed', 'paid', 'packed', 'shipped', 'delivered', 'returned']

/** All orders, the same in each run. They are the database of the upstream. */
const catalogue: readonly Order[] = drawCatalogue()

/**
 * The orders for a query: `count` consecutive orders of the catalogue from `seed` on; after the last order comes the
 * first. A seed therefore decides the orders, and a mixed-up answer is visible.
 */
export function selectOrders(count: number, payload: Payload, seed: number): Order[] {
  return selectPositions(count, seed).map(position => narrow(catalogue[position] as Order, payload))
}

export function selectPositions(count: number, seed: number): number[] {
  return Array.from({ length: count }, (_, index) => (seed + index) % MAX_ORDERS)
}

/** An order with only the half that `payload` selects; the other half is null. */
function narrow({ id, details, amounts }: Order, payload: Payload): Order {
  return {
    id,
    details: payload === 'numbers' ? null : details,
    amounts: payload === 'strings' ? null : amounts,
  }
}

function drawCatalogue(): Order[] {
  const random = seededRandom(1)
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] as string
  return Array.from({ length: MAX_ORDERS }, (_, index) => ({
    id: index + 1,
    details: drawDetails(pick, random),
    amounts: drawAmounts(random),
  }))
}

function drawDetails(pick: (from: readonly string[]) => string, random: () => number): Details {
  const placed = Date.UTC(2026, 0, 1) + Math.floor(random() * 300 * 86_400_000)
  return {
    customer: pick(customers),
    product: pick(products),
    city: pick(cities),
    status: pick(statuses),
    placedAt: new Date(placed).toISOString(),
  }
}

function drawAmounts(random: () => number): Amounts {
  const cents = (most: number) => Math.floor(random() * most) / 100
  const quantity = 1 + Math.floor(random() * 9)
  const unitPrice = cents(50_000)
  const discount = cents(2_000)
  const tax = Math.round(quantity * unitPrice * 19) / 100
  return {
    quantity,
    unitPrice,
    discount,
    tax,
    total: Math.round((quantity * unitPrice - discount + tax) * 100) / 100,
  }
}

const reasons = [
  'Sold out twice this month',
  'Often ordered together',
  'Fewer than ten left',
  'Supplier offer',
]

const recommendations: readonly Recommendation[] = drawRecommendations()

/** The `count` recommendations that begin at `seed`; after the last one comes the first. */
export const selectRecommendations = (count: number, seed: number): Recommendation[] =>
  Array.from(
    { length: count },
    (_, index) => recommendations[(seed + index) % MAX_RECOMMENDATIONS] as Recommendation,
  )

function drawRecommendations(): Recommendation[] {
  const random = seededRandom(2)
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] as string
  return Array.from({ length: MAX_RECOMMENDATIONS }, (_, index) => ({
    id: index + 1,
    product: pick(products),
    reason: pick(reasons),
    unitPrice: Math.floor(random() * 50_000) / 100,
  }))
}
