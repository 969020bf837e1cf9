/**
 * Builds the parts that the chat panel loads on demand: the styles and fonts of formulas, and the code that renders
 * diagrams.
 */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { cachedFolder } from './cache.ts';
import { ROOT } from './paths.ts';

/** Fonts that are used too rarely for their size: Fraktur, and some bold or italic styles. */
const LEFT_OUT_FONTS = /KaTeX_(?:Fraktur|SansSerif-(?:Bold|Italic)|Caligraphic-Bold|Main-BoldItalic)/;

/** Styles of formulas, with their fonts in WOFF2 only. */
export const MATH_STYLES: BuildOptions = {
  absWorkingDir: ROOT,
  entryPoints: [{ in: 'src/panels/chat/styles/math.css', out: 'math' }],
  bundle: true,
  minify: true,
  logLevel: 'warning',
  loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
  assetNames: 'fonts/[name]',
  plugins: [
    {
      name: 'fonts left out',
      setup(building) {
        building.onLoad({ filter: LEFT_OUT_FONTS }, () => ({ contents: '', loader: 'empty' }));
      },
    },
  ],
};

/**
 * The parts of Mermaid that fit into the package: its common diagrams, and one layout. The source of other diagrams is
 * shown instead.
 */
const MERMAID_PARTS: ReadonlySet<string> = new Set([
  'classDiagram-v2',
  'dagre',
  'erDiagram',
  'flowDiagram',
  'ganttDiagram',
  'gitGraphDiagram',
  'journeyDiagram',
  'mindmap-definition',
  'pieDiagram',
  'quadrantDiagram',
  'sequenceDiagram',
  'sizeCapture',
  'stateDiagram-v2',
  'timeline-definition',
  'xychartDiagram',
]);

/** Replaces the parser generator that two kinds of diagrams would include. */
const PARSER = join(ROOT, 'src/panels/chat/markdown/diagram/parser.ts');

const mermaidParts: Plugin = {
  name: 'parts of Mermaid',
  setup(building) {
    building.onResolve({ filter: /^@mermaid-js\/parser$/ }, () => ({ path: PARSER }));
    building.onResolve({ filter: /./ }, ({ path, kind, importer }) => {
      const isPart = kind === 'dynamic-import' && importer.includes(join('node_modules', 'mermaid', 'dist'));
      if (!isPart || MERMAID_PARTS.has(basename(path).replace(/-[A-Z0-9]{8}\.mjs$/, ''))) return undefined;
      return { path, namespace: 'left-out' };
    });
    building.onLoad({ filter: /./, namespace: 'left-out' }, () => ({
      contents: 'throw new Error("Diagrams of this kind are not drawn here.");',
    }));
  },
};

/** Builds the code that renders diagrams, as one script without imports. */
export async function diagramCode(): Promise<{ readonly code: string; readonly metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/panels/chat/markdown/diagram/frame.ts'],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    legalComments: 'none',
    platform: 'browser',
    format: 'iife',
    target: 'chrome140',
    logLevel: 'warning',
    plugins: [mermaidParts],
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error('esbuild wrote no script for diagrams.');
  return { code: script.text, metafile };
}

/**
 * Writes the compressed code of diagrams to a path. Compressing takes a few seconds, so the last result is cached.
 * @returns the metafile of the code.
 */
export async function layDiagramCode(path: string): Promise<Metafile> {
  const { code, metafile } = await diagramCode();
  const folder = await cachedFolder('diagrams', createHash('sha256').update(code).digest('hex'), async (draft) => {
    await writeFile(join(draft, 'diagrams.br'), await compressed(code));
  });
  await mkdir(dirname(path), { recursive: true });
  await copyFile(join(folder, 'diagrams.br'), path);
  return metafile;
}

function compressed(code: string): Promise<Buffer> {
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const size = Buffer.byteLength(code);
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: size };
  return promisify(brotliCompress)(code, { params });
}
