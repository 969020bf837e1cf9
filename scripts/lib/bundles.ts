import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, type BuildResult, build, context, type Metafile, type Plugin } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };
import { writeCachingPage } from './cachingPage.ts';
import { namedIcons } from './namedIcons.ts';
import { layDiagramCode, MATH_STYLES } from './panelParts.ts';
import { DIST, packageFolder, ROOT } from './paths.ts';

const PANELS = join(DIST, 'panels');

/** The webviews, named after their folders in `src/panels`. */
export const PANEL_NAMES = [
  'agentReview',
  'chat',
  'configureAgent',
  'connectTool',
  'localKey',
  'routes',
  'session',
  'traffic',
  'usage',
] as const;

/** The tokenizer's vocabulary, which is read from the folder of the counting thread's bundle. */
export const VOCABULARY = join(ROOT, 'src/gateway/counting/o200k.br');

export interface BundleOptions {
  /** Readable output with source maps, for development. */
  readonly development?: boolean;
}

/** Builds the bundles of the extension, named after their files in `dist`. */
export async function buildBundles(options: BundleOptions = {}): Promise<Metafile[]> {
  const results = await Promise.all(bundles(options).map((bundle) => build(bundle)));
  const diagrams = await copyAssets();
  const metafiles = results.map((result) => metafileOf(result));
  for (const metafile of metafiles) refuseUndiciInExtension(metafile);
  return [...metafiles, diagrams];
}

/** Rebuilds when a source file changes, until the process exits. */
export async function watchBundles(): Promise<void> {
  await copyAssets();
  for (const bundle of bundles({ development: true })) {
    const plugins = [...(bundle.plugins ?? []), announcements];
    const building = await context({ ...bundle, plugins, logLevel: 'silent' });
    await building.watch();
  }
}

/** undici and `@vscode/l10n` are CommonJS and load Node's modules with `require`, which an ES module does not have. */
const REQUIRE = {
  js: "import { createRequire as createBundleRequire } from 'node:module';const require = createBundleRequire(import.meta.url);",
};

const undiciDispatchers: Plugin = {
  name: 'undici-dispatchers',
  setup(building): void {
    building.onResolve({ filter: /^undici$/ }, () => ({ path: join(ROOT, 'scripts/lib/undiciDispatchers.cjs') }));
  },
};

/**
 * Omits zod's messages in other languages, which are not used. esbuild keeps all of them once a module that uses zod is
 * imported dynamically.
 */
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup(building): void {
    building.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** Puts the statements of a database's schema into the bundle, whose files are read from the sources otherwise. */
const sqlTexts: Plugin = {
  name: 'sql-texts',
  setup(building): void {
    building.onLoad({ filter: /[\\/](?:ledger|postgres)[\\/]schema\.ts$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const imports: string[] = [];
      const contents = code.replaceAll(/readFileSync\(new URL\('(.+?)', import\.meta\.url\), 'utf8'\)/g, (_, file) => {
        imports.push(`import sql${imports.length} from '${file}';`);
        return `sql${imports.length - 1}`;
      });
      return { contents: `${imports.join('')}${contents}`, loader: 'ts' };
    });
  },
};

/**
 * Omits the serializer: the text of a page is made from HTML and never converted back, which would need a second table
 * of all named characters.
 */
const withoutSerializer: Plugin = {
  name: 'without-serializer',
  setup(building): void {
    building.onLoad({ filter: /[\\/]dom-serializer[\\/]lib[\\/]/ }, () => ({
      contents: `export function render() { throw new Error("The bundle has no serializer."); } export default render;`,
    }));
  },
};

/**
 * Lets what is loaded later import all that a bundle begins with. esbuild makes a chunk of each set of files that the same
 * entries import, so the first script would wait for dozens of chunks instead of one.
 * @param folder contains what is loaded later. What is outside, such as files that panels share, is left as it is.
 * @param first the file whose imports make the first chunk.
 */
function oneFirstChunk(folder: string, first: string): Plugin {
  const beginning = `import ${JSON.stringify(join(ROOT, folder, first))};`;
  return {
    name: 'one-first-chunk',
    setup(building): void {
      const late = new Set<string>();
      building.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind === 'dynamic-import') late.add(join(resolveDir, path));
        return undefined;
      });
      building.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        if (!late.has(path) || !path.startsWith(join(ROOT, folder))) return undefined;
        const code = await readFile(path, 'utf8');
        return { contents: `${code}\n${beginning}`, loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

/**
 * The gateway without an editor, and the threads that count tokens and search for secrets. CommonJS: see
 * `scripts/gateway.cjs`.
 */
export const GATEWAY = {
  absWorkingDir: ROOT,
  entryPoints: [
    'packages/gateway/src/cli/serve.ts',
    'src/gateway/counting/sizeThread.ts',
    'src/gateway/secrets/secretThread.ts',
    'src/gateway/context/contextThread.ts',
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
  loader: { '.sql': 'text' },
  plugins: [undiciDispatchers, withoutLocales, sqlTexts],
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
    loader: { '.sql': 'text' },
  };
  const host: BuildOptions = {
    ...common,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['vscode'],
    banner: REQUIRE,
    // The package's entry for Node hides its own modules from bundlers.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  };
  return [
    // Split, so that activation loads only extension.js. Dynamic imports are in files of their own.
    {
      ...host,
      // The thread that searches for secrets shares its rules with the extension.
      entryPoints: ['src/extension.ts', 'src/gateway/secrets/secretThread.ts'],
      entryNames: '[name]',
      outdir: DIST,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      plugins: [withoutSerializer, oneFirstChunk('src/editor', '../extension.ts')],
    },
    {
      ...host,
      entryPoints: ['src/gateway/worker/worker.ts'],
      outfile: join(DIST, 'gatewayWorker.js'),
      plugins: [undiciDispatchers, sqlTexts],
    },
    // Threads that the worker starts; see src/rpc/workerClient.ts.
    {
      ...host,
      entryPoints: [
        'src/gateway/counting/sizeThread.ts',
        'src/gateway/context/contextThread.ts',
        'src/ledger/readingThread.ts',
      ],
      entryNames: '[name]',
      outdir: DIST,
      plugins: [sqlTexts],
    },
    // Bundled separately: code that panels share would be in files of its own, which a webview loads only after the
    // first one.
    ...PANEL_NAMES.map((panel) => ({
      ...common,
      ...PANEL,
      entryPoints: { [panel]: `src/panels/${panel}/main.tsx` },
      outdir: PANELS,
      plugins: [namedIcons(panel), ...(panel === 'chat' ? [oneFirstChunk('src/panels/chat', 'panel.tsx')] : [])],
    })),
    { ...MATH_STYLES, metafile: true, outdir: PANELS },
  ];
}

/** Returns an entry for each panel under its name. */
export function entriesOf(file: (panel: string) => string): Record<string, string> {
  return Object.fromEntries(PANEL_NAMES.map((panel) => [panel, file(panel)]));
}

/** Options for the code of webviews and of the gallery. */
export const PANEL: BuildOptions = {
  platform: 'browser',
  format: 'esm',
  // Dynamic imports are loaded on demand.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  target: 'chrome140',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // The icon font is next to the styles; the webview provides its address.
  external: ['*.ttf'],
};

/**
 * Copies what the bundles read in addition to their code.
 * @returns the metafile of the code for diagrams.
 */
async function copyAssets(): Promise<Metafile> {
  await copyIconFont(PANELS);
  await copyFile(VOCABULARY, join(DIST, basename(VOCABULARY)));
  await writeCachingPage();
  return layDiagramCode(join(PANELS, 'diagrams.br'));
}

/** Copies the icon font to the folder of the styles that refer to it. */
export async function copyIconFont(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(packageFolder('@vscode/codicons'), 'dist', 'codicon.ttf'), join(folder, 'codicon.ttf'));
}

function metafileOf(result: BuildResult): Metafile {
  if (result.metafile === undefined) throw new Error('esbuild wrote no metafile.');
  return result.metafile;
}

/**
 * Fails if the extension host would import undici, which changes the network of every other extension; see
 * ARCHITECTURE.md.
 */
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
