/**
 * Runs the gateway without an editor, as one file that is rebuilt when one of its sources has changed. This script is
 * JavaScript and imports no TypeScript, because Node's compiler takes 60 ms and 18 MB as soon as one file needs it, and
 * there are over a hundred sources. It is CommonJS, because an ES module that imports a module of Node loads everything
 * that this module could export: with `node:http`, an HTTP client and a WebSocket that are not used.
 */
const { readFileSync, statSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
const FOLDER = join(ROOT, 'node_modules', '.cache', 'model-access-gateway');
const BUNDLE = join(FOLDER, 'serve.cjs');

/** Whether no input of the bundle has changed since it was built. */
function isFresh() {
  try {
    const built = statSync(BUNDLE).mtimeMs;
    const inputs = JSON.parse(readFileSync(join(FOLDER, 'inputs.json'), 'utf8'));
    return inputs.every((path) => statSync(join(ROOT, path)).mtimeMs < built);
  } catch {
    // Not built yet, or a source was removed.
    return false;
  }
}

/**
 * Builds in a process of its own, so that the gateway does not keep the memory of the build. Standard output belongs to
 * the gateway.
 */
function build() {
  const { spawnSync } = require('node:child_process');
  const script = join(ROOT, 'scripts', 'buildGateway.ts');
  return spawnSync(process.execPath, [script, FOLDER], { stdio: ['ignore', 2, 2] }).status === 0;
}

enableCompileCache(join(FOLDER, 'compiled'));
if (isFresh() || build()) {
  require(BUNDLE);
} else {
  console.error('The gateway runs from its sources, since it could not be built.');
  void import('../packages/gateway/src/cli/serve.ts');
}
