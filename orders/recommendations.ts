import { seededRandom } from '../lib/random.ts'
import { products } from './catalogue.ts'
import { RecommendationList } from './messages.ts'
import { MAX_RECOMMENDATIONS, type Recommendation } from './recommendation.ts'

const reasons = [
  'Sold out twice this month',
  'Often ordered together',
  'Fewer than ten left',
  'Supplier offer',
]

/** All recommendations, the same in each run. */
const catalogue: readonly Recommendation[] = drawCatalogue()

/** The `count` recommendations that begin at `seed`; after the last one comes the first. */
export const selectRecommendations = (count: number, seed: number): Recommendation[] =>
  Array.from(
    { length: count },
    (_, index) => catalogue[(seed + index) % MAX_RECOMMENDATIONS] as Recommendation,
  )

export const encodeRecommendations = {
  json: (recommendations: readonly Recommendation[]) => Buffer.from(JSON.stringify({ recommendations })),
  protobuf: (recommendations: readonly Recommendation[]) =>
    Buffer.from(RecommendationList.encode({ recommendations }).finish()),
}

function drawCatalogue(): Recommendation[] {
  const random = seededRandom(2)
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] as string
  return Array.from({ length: MAX_RECOMMENDATIONS }, (_, index) => ({
    id: index + 1,
    product: pick(products),
    reason: pick(reasons),
    unitPrice: Math.floor(random() * 50_000) / 100,
  }))
}
