import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

// biome-ignore lint/style/noDefaultExport: Vite reads the configuration by this name
export default defineConfig({ plugins: [reactRouter()] })
