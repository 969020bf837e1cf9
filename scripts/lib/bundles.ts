import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, type BuildResult, build, context, type Metafile, type Plugin } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };
import { layDiagramCode, MATH_STYLES } from './panelParts.ts';
import { DIST, packageFolder, ROOT } from './paths.ts';

const PANELS = join(DIST, 'panels');

/** The webviews, by their folders in `src/panels`. */
export const PANEL_NAMES = ['chat', 'connectTool', 'localKey', 'session', 'traffic', 'usage'] as const;

/** The tokenizer's, read from beside the bundle of the counting thread. */
export const VOCABULARY = join(ROOT, 'src/gateway/counting/o200k.br');

export interface BundleOptions {
  /** Readable output with source maps, for development. */
  readonly development?: boolean;
}

/** What the extension consists of. The names are those of the files in `dist`. */
export async function buildBundles(options: BundleOptions = {}): Promise<Metafile[]> {
  const results = await Promise.all(bundles(options).map((bundle) => build(bundle)));
  const diagrams = await copyAssets();
  const metafiles = results.map((result) => metafileOf(result));
  for (const metafile of metafiles) refuseUndiciInExtension(metafile);
  return [...metafiles, diagrams];
}

/** Builds again whenever a source file changes, until the process ends. */
export async function watchBundles(): Promise<void> {
  await copyAssets();
  for (const bundle of bundles({ development: true })) {
    const plugins = [...(bundle.plugins ?? []), announcements];
    const building = await context({ ...bundle, plugins, logLevel: 'silent' });
    await building.watch();
  }
}

/** undici and `@vscode/l10n` are CommonJS and ask for Node's modules by `require`, which an ES module does not have. */
const REQUIRE = {
  js: "import { createRequire as createBundleRequire } from 'node:module';const require = createBundleRequire(import.meta.url);",
};

const undiciDispatchers: Plugin = {
  name: 'undici-dispatchers',
  setup(building): void {
    building.onResolve({ filter: /^undici$/ }, () => ({ path: join(ROOT, 'scripts/lib/undiciDispatchers.cjs') }));
  },
};

/** Nobody asks for zod's messages in other languages. esbuild keeps all of them once a module that uses zod is imported late. */
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup(building): void {
    building.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** The text of a page is made from HTML and never HTML again, which takes a second table of all named characters. */
const withoutSerializer: Plugin = {
  name: 'without-serializer',
  setup(building): void {
    building.onLoad({ filter: /[\\/]dom-serializer[\\/]lib[\\/]/ }, () => ({
      contents: `export function render() { throw new Error("The bundle has no serializer."); } export default render;`,
    }));
  },
};

/** The gateway without an editor, and the threads in which it counts tokens and searches for secrets. CommonJS: see `scripts/gateway.cjs`. */
export const GATEWAY = {
  absWorkingDir: ROOT,
  entryPoints: [
    'src/gateway/cli/serve.ts',
    'src/gateway/counting/sizeThread.ts',
    'src/gateway/secrets/secretThread.ts',
  ],
  entryNames: '[name]',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  metafile: true,
  minify: true,
  logLevel: 'warning',
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  define: { 'import.meta.url': 'bundleUrl', BUILD_VERSION: JSON.stringify(manifest.version) },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  plugins: [undiciDispatchers, withoutLocales],
  outdir: '.',
} as const satisfies BuildOptions;

function bundles({ development = false }: BundleOptions): BuildOptions[] {
  const common: BuildOptions = {
    absWorkingDir: ROOT,
    bundle: true,
    metafile: true,
    minify: !development,
    sourcemap: development ? 'linked' : false,
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': development ? '"development"' : '"production"' },
  };
  const host: BuildOptions = {
    ...common,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['vscode'],
    banner: REQUIRE,
    // Its entry for Node hides its own modules from bundlers.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  };
  return [
    // Split, so that activation loads extension.js alone; what it imports later is in files of its own.
    {
      ...host,
      // The thread that searches for secrets has its rules in common with the extension.
      entryPoints: ['src/extension.ts', 'src/gateway/secrets/secretThread.ts'],
      entryNames: '[name]',
      outdir: DIST,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      plugins: [withoutSerializer],
    },
    {
      ...host,
      entryPoints: ['src/gateway/worker/worker.ts'],
      outfile: join(DIST, 'gatewayWorker.js'),
      plugins: [undiciDispatchers],
    },
    // In threads of their own beside the worker's, see src/gateway/core/workerClient.ts.
    {
      ...host,
      entryPoints: ['src/gateway/counting/sizeThread.ts', 'src/gateway/ledger/readingThread.ts'],
      entryNames: '[name]',
      outdir: DIST,
    },
    // Each by itself: code that panels share would be files of its own, which a webview fetches only after the first one.
    ...PANEL_NAMES.map((panel) => ({
      ...common,
      ...PANEL,
      entryPoints: { [panel]: `src/panels/${panel}/main.tsx` },
      outdir: PANELS,
    })),
    { ...MATH_STYLES, metafile: true, outdir: PANELS },
  ];
}

/** An entry for each panel under its name. */
export function entriesOf(file: (panel: string) => string): Record<string, string> {
  return Object.fromEntries(PANEL_NAMES.map((panel) => [panel, file(panel)]));
}

/** Options that hold for code of webviews and of the gallery. */
export const PANEL: BuildOptions = {
  platform: 'browser',
  format: 'esm',
  // What is shown late is fetched late.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  target: 'chrome140',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // The icon font lies beside the styles; the webview gives its address.
  external: ['*.ttf'],
};

/**
 * What the bundles read beside their code.
 * @returns what the code of diagrams was made of.
 */
async function copyAssets(): Promise<Metafile> {
  await copyIconFont(PANELS);
  await copyFile(VOCABULARY, join(DIST, basename(VOCABULARY)));
  return layDiagramCode(join(PANELS, 'diagrams.br'));
}

/** Lays the icon font beside the styles that name it. */
export async function copyIconFont(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(packageFolder('@vscode/codicons'), 'dist', 'codicon.ttf'), join(folder, 'codicon.ttf'));
}

function metafileOf(result: BuildResult): Metafile {
  if (result.metafile === undefined) throw new Error('esbuild wrote no metafile.');
  return result.metafile;
}

/** Importing undici in the extension host changes the network of every other extension; see ARCHITECTURE.md. */
function refuseUndiciInExtension({ inputs, outputs }: Metafile): void {
  const isExtension = Object.keys(outputs).some((path) => path.endsWith('dist/extension.js'));
  const culprit = Object.keys(inputs).find((path) => path.includes('node_modules/undici/'));
  if (isExtension && culprit !== undefined) throw new Error(`${culprit} must not be part of dist/extension.js.`);
}

const announcements = {
  name: 'announcements',
  setup(building: import('esbuild').PluginBuild): void {
    building.onStart(() => console.log('[watch] build started'));
    building.onEnd(({ errors }) => {
      for (const { text, location } of errors) {
        console.error(`✘ [ERROR] ${text}\n    ${location?.file}:${location?.line}:${location?.column}:`);
      }
      console.log('[watch] build finished');
    });
  },
};
