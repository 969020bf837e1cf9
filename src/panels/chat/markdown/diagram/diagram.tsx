import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { errorText } from '../../../../display/errors.ts';
import { IconButton } from '../../../shared/iconButton.tsx';
import { useStore } from '../../storeContext.ts';
import { CopyButton } from '../copyButton.tsx';
import { FoldedCode } from '../foldedCode.tsx';
import { useDrawn } from '../lateDrawing.ts';
import type { Drawing } from './drawReply.ts';

/** Mermaid takes about a tenth of a second for a diagram of this size, in which the panel is blocked. */
const MAX_UNITS = 80;
/** An ampersand joins its line's nodes with all others of the line. */
const UNITS_OF_AMPERSAND = 5;

/** The minimum scale of a diagram that is wider than the panel; below it, the diagram scrolls. */
const SMALLEST = 0.6;

/** Zoom factors, relative to the initial size. */
const ZOOMS = [1, 1.5, 2, 3, 4] as const;

/** A diagram as an image. Its source is shown until it is rendered, if it cannot be rendered, and on request. */
export function Diagram({ source }: { readonly source: string }) {
  const [showsSource, setShowsSource] = useState(false);
  const [zoom, setZoom] = useState(0);
  const [isRequested, setIsRequested] = useState(false);
  const figure = useRef<HTMLElement>(null);
  // An answer can contain thousands of diagrams.
  const isNear = useDrawn(figure, true);
  const isDrawn = isRequested || !isLargeDiagram(source);
  const { drawing, problem } = useDrawing(source, isDrawn && isNear);
  const lines = useMemo(() => source.split('\n').length, [source]);
  const draw = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    setIsRequested(true);
    // The button disappears, and the focus with it.
    currentTarget.closest('figure')?.querySelector('button')?.focus();
  };
  return (
    <figure ref={figure} class="code diagram" aria-label={l10n.t('Diagram')}>
      <figcaption class="code-head">
        <span class="code-label">{l10n.t('Diagram')}</span>
        <CopyButton text={source} label={l10n.t('Copy source')} />
        {drawing !== undefined && !showsSource && <ZoomButtons zoom={zoom} onZoom={setZoom} />}
        {drawing !== undefined && (
          <IconButton
            icon={showsSource ? 'graph' : 'code'}
            label={showsSource ? l10n.t('Show diagram') : l10n.t('Show source')}
            onClick={() => setShowsSource(!showsSource)}
          />
        )}
      </figcaption>
      {!isDrawn && (
        <p class="diagram-note">
          {l10n.t('Large diagrams are drawn only on request.')}{' '}
          <button type="button" class="link" onClick={draw}>
            {l10n.t('Draw Diagram')}
          </button>
        </p>
      )}
      {problem !== undefined && (
        <p class="diagram-note">{l10n.t('Could not draw the diagram: {0}', firstLine(problem))}</p>
      )}
      {drawing === undefined || showsSource ? (
        <FoldedCode text={source} lines={lines} isWhole>
          {(shown) => <code>{shown}</code>}
        </FoldedCode>
      ) : (
        <Picture drawing={drawing} zoom={ZOOMS[zoom] ?? 1} />
      )}
    </figure>
  );
}

/** @param zoom index in {@link ZOOMS}. */
function ZoomButtons({ zoom, onZoom }: { readonly zoom: number; onZoom(zoom: number): void }) {
  return (
    <>
      <IconButton icon="zoom-out" label={l10n.t('Zoom out')} disabled={zoom === 0} onClick={() => onZoom(zoom - 1)} />
      <IconButton
        icon="zoom-in"
        label={l10n.t('Zoom in')}
        disabled={zoom === ZOOMS.length - 1}
        onClick={() => onZoom(zoom + 1)}
      />
    </>
  );
}

function Picture({ drawing, zoom }: { readonly drawing: Drawing; readonly zoom: number }) {
  const { svg, width, height, words } = drawing;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div class="diagram-picture" tabIndex={0}>
      <img
        src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
        width={Math.ceil(width)}
        height={Math.ceil(height)}
        alt={l10n.t('Diagram with: {0}', words.join(', '))}
        style={sizeOf(width, zoom)}
      />
    </div>
  );
}

/** Returns the size. Initially, the diagram is as wide as the panel allows; zooming multiplies that width. */
function sizeOf(width: number, zoom: number) {
  const minWidth = `${Math.round(width * SMALLEST)}px`;
  if (zoom === 1) return { minWidth };
  return { width: `calc(max(${minWidth}, min(100%, ${Math.ceil(width)}px)) * ${zoom})`, maxWidth: 'none' };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

interface DrawingState {
  readonly drawing?: Drawing;
  readonly problem?: string;
}

function useDrawing(source: string, isDrawn: boolean): DrawingState {
  const { diagrams } = useStore();
  const [state, setState] = useState<DrawingState>({});
  const theme = diagrams.theme.value;
  useEffect(() => {
    if (!isDrawn) return;
    let isCurrent = true;
    diagrams.draw(source).then(
      (drawing) => isCurrent && setState({ drawing }),
      (error: unknown) => isCurrent && setState({ problem: errorText(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [diagrams, source, theme, isDrawn]);
  return state;
}

/** Whether a diagram is only drawn on request: it has some forty lines with an arrow each, or as much in fewer lines. */
function isLargeDiagram(source: string): boolean {
  let units = 0;
  for (const [found] of source.matchAll(/[\n;&]|-->|--|==|-\.|->/g)) {
    units += found === '&' ? UNITS_OF_AMPERSAND : 1;
    if (units > MAX_UNITS) return true;
  }
  return false;
}
