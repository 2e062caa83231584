import { Form } from 'react-router'

export async function action({ request }) {
  const file = (await request.formData()).get('file')
  return { name: file.name, bytes: (await file.bytes()).length }
}

// biome-ignore lint/style/noDefaultExport: React Router loads the component by this name
export default ({ actionData }) => (
  <Form method="post" encType="multipart/form-data">
    <input name="file" type="file" /> {JSON.stringify(actionData)}
  </Form>
)
