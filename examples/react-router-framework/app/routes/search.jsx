import { Form } from 'react-router'
import { findOrders } from '../orders.js'

export async function loader({ request }) {
  const city = new URL(request.url).searchParams.get('city')
  const found = (await findOrders()).filter(order => order.city === city)
  return { city, ids: found.map(({ id }) => id) }
}

// biome-ignore lint/style/noDefaultExport: React Router loads the component by this name
export default ({ loaderData: { city, ids } }) => (
  <Form>
    <input name="city" defaultValue={city ?? ''} /> {ids.join()}
  </Form>
)
