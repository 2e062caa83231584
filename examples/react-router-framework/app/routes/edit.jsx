import { data, Form, redirect } from 'react-router'

export async function action({ request, params }) {
  const city = String((await request.formData()).get('city') ?? '')
  if (city === '') return data({ problem: 'A city is needed.' }, { status: 422 })
  return redirect(`/orders/${params.id}`, { headers: { 'set-cookie': `city=${encodeURIComponent(city)}` } })
}

// biome-ignore lint/style/noDefaultExport: React Router loads the component by this name
export default ({ actionData }) => (
  <Form method="post">
    <input name="city" /> {actionData?.problem}
  </Form>
)
