import type { Recommendation } from '../../../orders/order.ts'
import { Embedded, useRecommendations } from './contexts.tsx'
import { formatMoney } from './data.ts'
import { Unavailable } from './part.tsx'

export const RECOMMENDATIONS_ID = 'recommendations-data'

/** The recommendations, with the data from which the browser renders them again. */
export function Recommendations() {
  const recommendations = useRecommendations()
  return (
    <>
      {recommendations ? <List recommendations={recommendations} /> : <Unavailable part="recommendations" />}
      <Embedded id={RECOMMENDATIONS_ID} data={recommendations} />
    </>
  )
}

const List = ({ recommendations }: { recommendations: readonly Recommendation[] }) =>
  recommendations.length === 0 ? (
    <p>Nothing to restock.</p>
  ) : (
    <ul className="recommendations">
      {recommendations.map(({ id, product, reason, unitPrice }) => (
        <li key={id}>
          <h3>{product}</h3>
          <p>{reason}</p>
          <p>{`${formatMoney(unitPrice)} each`}</p>
        </li>
      ))}
    </ul>
  )
