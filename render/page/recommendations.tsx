import { formatMoney } from './format.ts'

/** A product that the shop should order again. */
export interface Recommendation {
  readonly id: number
  readonly product: string
  readonly reason: string
  readonly unitPrice: number
}

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
