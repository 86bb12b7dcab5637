// What the interface computes without a page, from its own sources.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const FOLDER = new URL('../../src/', import.meta.url);

/** A module of `src` that needs neither a page nor Svelte. */
export async function source(path) {
  const { module } = await runnerImport(fileURLToPath(new URL(path, FOLDER)), { configFile: false, logLevel: 'error' });
  return module;
}
