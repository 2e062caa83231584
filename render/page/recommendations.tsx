import type { Recommendation } from '../../orders/recommendation.ts'
import { formatMoney } from './format.ts'

export const Recommendations = ({ recommendations }: { recommendations: readonly Recommendation[] }) =>
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
