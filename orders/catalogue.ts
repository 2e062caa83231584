import { seededRandom } from '../lib/random.ts'
import { MAX_ORDERS, MAX_RECOMMENDATIONS, type Order, type Payload, type Recommendation } from './order.ts'

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

/** Draws values that are the same in each run. */
function drawing(seed: number) {
  const random = seededRandom(seed)
  const below = (most: number) => Math.floor(random() * most)
  const pick = (from: readonly string[]) => from[below(from.length)] as string
  return { random, below, pick, cents: (most: number) => below(most) / 100 }
}

function drawCatalogue(): Order[] {
  const { random, below, pick, cents } = drawing(1)
  return Array.from({ length: MAX_ORDERS }, (_, index) => {
    const placed = Date.UTC(2026, 0, 1) + Math.floor(random() * 300 * 86_400_000)
    const details = {
      customer: pick(customers),
      product: pick(products),
      city: pick(cities),
      status: pick(statuses),
      placedAt: new Date(placed).toISOString(),
    }
    const quantity = 1 + below(9)
    const unitPrice = cents(50_000)
    const discount = cents(2_000)
    const tax = Math.round(quantity * unitPrice * 19) / 100
    const total = Math.round((quantity * unitPrice - discount + tax) * 100) / 100
    return { id: index + 1, details, amounts: { quantity, unitPrice, discount, tax, total } }
  })
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
  const { pick, cents } = drawing(2)
  return Array.from({ length: MAX_RECOMMENDATIONS }, (_, index) => ({
    id: index + 1,
    product: pick(products),
    reason: pick(reasons),
    unitPrice: cents(50_000),
  }))
}
