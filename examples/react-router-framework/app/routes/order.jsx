import { data, Outlet } from 'react-router'
import { findOrder } from '../orders.js'

export async function loader({ params }) {
  const order = await findOrder(Number(params.id))
  if (!order) throw data(`There is no order ${params.id}.`, { status: 404 })
  return order
}

export const meta = ({ loaderData }) => [{ title: `Order ${loaderData?.id}` }]

// biome-ignore lint/style/noDefaultExport: React Router loads the component by this name
export default ({ loaderData: { id, city } }) => (
  <main>
    <h1>
      Order {id} for {city}
    </h1>
    <Outlet />
  </main>
)
