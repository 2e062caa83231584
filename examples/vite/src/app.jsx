import { Page } from './page.jsx'

export const options = { bootstrapModules: ['/assets/client.js'] }

export const load = () => ({
  // It stands for a slow call of a microservice.
  advice: new Promise(resolve => setTimeout(resolve, 50, 'Buy a lamp.')),
})

// biome-ignore lint/style/noDefaultExport: the renderer loads the component by this name
export default Page
