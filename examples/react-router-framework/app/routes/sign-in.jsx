import { data, Form, redirect } from 'react-router'

export async function action({ request }) {
  const form = await request.formData()
  if (form.get('password') !== 'secret')
    return data({ problem: `No, ${form.get('name')}.` }, { status: 401, headers: { 'x-tries': '1' } })
  const headers = new Headers([
    ['set-cookie', `user=${form.get('name')}; HttpOnly`],
    ['set-cookie', 'theme=dark'],
  ])
  return redirect('/private', { status: 303, headers })
}

export const headers = ({ actionHeaders }) => actionHeaders

// biome-ignore lint/style/noDefaultExport: React Router loads the component by this name
export default ({ actionData }) => (
  <Form method="post">
    <input name="name" /> <input name="password" type="password" /> {actionData?.problem}
  </Form>
)
