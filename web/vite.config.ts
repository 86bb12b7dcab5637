import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const SERVER = process.env['WIIIV_SERVER'] ?? 'http://127.0.0.1:7717';

export default defineConfig({
  plugins: [svelte()],
  build: {
    // Elsewhere for a build that is only compared.
    outDir: process.env['WIIIV_DIST'] ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Lists every file with what it loads: read by the size check, which then removes it.
    manifest: true,
    // What five files or more share comes at once: else the first screen takes sixty requests, most of them below 1 kB.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', test: /\/web\/src\/(?!i18n\/|routes\/)/, minShareCount: 5 }] } } },
  },
  server: {
    // The server takes changes from its own origin alone.
    proxy: { '/api': { target: SERVER, changeOrigin: true, headers: { Origin: SERVER } } },
  },
});
