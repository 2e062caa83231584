import { Link } from 'react-router'
import { findOrders } from '../orders.js'

export const loader = () => findOrders()

// biome-ignore lint/style/noDefaultExport: React Router loads the component by this name
export default ({ loaderData }) => (
  <ul>
    {loaderData.map(({ id, city }) => (
      <li key={id}>
        <Link to={`/orders/${id}`}>
          {id}, {city}
        </Link>
      </li>
    ))}
  </ul>
)
