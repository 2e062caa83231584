import { Page } from './page.jsx'

export const load = ({ url }) => ({
  count: Number(new URL(url, 'http://localhost').searchParams.get('count') ?? 20),
  // It stands for a slow call of a microservice.
  advice: new Promise(resolve => setTimeout(resolve, 50, 'Buy a lamp.')),
})

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default Page
