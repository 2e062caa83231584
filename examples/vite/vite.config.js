import { defineConfig } from 'vite'

// One build for the browser, and one module for the render threads, whose packages stay imports.
// biome-ignore lint/style/noDefaultExport: Vite reads the configuration by this name
export default defineConfig(({ isSsrBuild, mode }) => ({
  define: { 'process.env.NODE_ENV': JSON.stringify(process.env.NODE_ENV ?? mode) },
  build: {
    outDir: isSsrBuild ? 'build' : 'build/public',
    emptyOutDir: !isSsrBuild,
    rollupOptions: isSsrBuild ? {} : { input: 'src/client.jsx', output: { entryFileNames: 'client.js' } },
  },
}))
