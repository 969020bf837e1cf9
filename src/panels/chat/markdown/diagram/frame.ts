/**
 * Runs in the frame that renders diagrams with Mermaid. The frame is sandboxed: it has an origin of its own, no
 * network, and no access to the panel. Its result is shown as an image, in which no script runs.
 */
import mermaid from 'mermaid';
import { errorText } from '../../../../display/errors.ts';
import type { DiagramColors, DrawReply, DrawRequest, FrameReady } from './frameProtocol.ts';
import { isLongGantt } from './ganttDays.ts';

/**
 * Makes Mermaid comply with the inherited content security policy, which allows styles with the panel's nonce, and
 * style objects.
 */
function obeyContentPolicy(nonce: string): void {
  const createElement = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = createElement(name, options);
    if (name.toLowerCase() === 'style') element.nonce = nonce;
    return element;
  };
  const setAttribute = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
    if (name === 'style' && (this instanceof SVGElement || this instanceof HTMLElement)) this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
}

/**
 * Options that a diagram cannot set, at any depth: Mermaid's own list, and those that could bring in HTML, styles, or
 * addresses.
 */
const SECURE = [
  ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering'],
  ...['htmlLabels', 'themeCSS', 'fontFamily', 'altFontFamily', 'dompurifyConfig', 'arrowMarkerAbsolute'],
  ...['deterministicIds', 'deterministicIDSeed', 'logLevel', 'forceLegacyMathML', 'legacyMathML', 'elk'],
];

/** Longer diagrams take seconds, in which the panel may be blocked. */
const MAX_STATEMENTS = 200;

/** The number of series colors that Mermaid has names for. */
const MAX_IN_SERIES = 12;

function themeOf({ dark, background, text, line, fill, border, note, accent, series }: DiagramColors) {
  return {
    ...seriesOf(series, text),
    pieStrokeColor: background,
    pieOuterStrokeWidth: '0',
    pieOpacity: '1',
    pieTitleTextSize: '15px',
    pieSectionTextSize: '13px',
    pieLegendTextSize: '13px',
    pieTitleTextColor: text,
    pieSectionTextColor: text,
    pieLegendTextColor: text,
    commitLabelColor: text,
    commitLabelBackground: background,
    commitLabelFontSize: '12px',
    tagLabelColor: text,
    tagLabelBackground: note,
    tagLabelBorder: border,
    tagLabelFontSize: '12px',
    quadrant1Fill: fill,
    quadrant2Fill: background,
    quadrant3Fill: background,
    quadrant4Fill: background,
    quadrantPointFill: accent,
    quadrantPointTextFill: text,
    quadrantXAxisTextFill: text,
    quadrantYAxisTextFill: text,
    quadrantTitleFill: text,
    quadrant1TextFill: text,
    quadrant2TextFill: text,
    quadrant3TextFill: text,
    quadrant4TextFill: text,
    quadrantInternalBorderStrokeFill: border,
    quadrantExternalBorderStrokeFill: border,
    darkMode: dark,
    background,
    primaryColor: fill,
    primaryTextColor: text,
    primaryBorderColor: border,
    secondaryColor: note,
    secondaryTextColor: text,
    secondaryBorderColor: border,
    tertiaryColor: background,
    tertiaryTextColor: text,
    tertiaryBorderColor: border,
    mainBkg: fill,
    textColor: text,
    titleColor: text,
    lineColor: line,
    noteBkgColor: note,
    noteTextColor: text,
    noteBorderColor: border,
    edgeLabelBackground: background,
    activeTaskBkgColor: accent,
    activeTaskBorderColor: accent,
    dropShadow: 'none',
  };
}

/** Returns the variables with which each kind of diagram names the colors of its series. */
function seriesOf(series: readonly string[], text: string): Readonly<Record<string, string>> {
  const variables = Array.from({ length: MAX_IN_SERIES }, (_, index) => {
    const color = series[index % series.length] ?? text;
    return [
      [`pie${index + 1}`, color],
      [`git${index}`, color],
      [`gitBranchLabel${index}`, text],
      [`cScale${index}`, color],
      [`cScaleLabel${index}`, text],
      [`fillType${index}`, color],
    ];
  });
  return Object.fromEntries(variables.flat());
}

async function draw({ id, source, colors, font }: DrawRequest): Promise<DrawReply> {
  mermaid.initialize({
    startOnLoad: false,
    layout: 'dagre',
    // Stricter levels parse the drawing again, and each inline style in it then violates the content policy. What a
    // diagram could use to bring in HTML, styles, or addresses is secured below instead, and the frame's sandbox, the
    // content policy, and an image as the result are further barriers.
    securityLevel: 'loose',
    secure: SECURE,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    class: { htmlLabels: false },
    sequence: { actorFontSize: 13, messageFontSize: 13, noteFontSize: 13 },
    deterministicIds: true,
    suppressErrorRendering: true,
    // The frame may share the panel's thread, which a diagram must not block.
    maxTextSize: 10_000,
    maxEdges: 200,
    theme: 'base',
    themeVariables: { ...themeOf(colors), fontFamily: font, fontSize: '13px' },
    fontFamily: font,
  });
  try {
    if (source.split(/[\n;]/).length > MAX_STATEMENTS) throw new Error('It is too long to draw.');
    if (isLongGantt(source)) throw new Error('It has too many excluded days.');
    const text = withLayout(source);
    await mermaid.parse(text);
    return { id, ...pictureOf(await drawnElement(`diagram-${id}`, text)) };
  } catch (error) {
    return { id, problem: errorText(error) };
  }
}

/** Sets the layout of mind maps, because Mermaid's default for them is not included. */
function withLayout(source: string): string {
  return /^\s*mindmap\b/.test(source) ? `%%{init: {"layout": "dagre"}}%%\n${source}` : source;
}

/**
 * Returns the rendered element. Mermaid renders into the page and removes the result again; the removed element is
 * used, because Mermaid's text would have to be parsed.
 */
async function drawnElement(name: string, source: string): Promise<SVGSVGElement> {
  const container = document.createElement('div');
  document.body.append(container);
  const removed: Node[] = [];
  const gather = (records: readonly MutationRecord[]) => {
    for (const { removedNodes } of records) removed.push(...removedNodes);
  };
  const observer = new MutationObserver(gather);
  observer.observe(container, { childList: true });
  try {
    await mermaid.render(name, source, container);
    gather(observer.takeRecords());
  } finally {
    observer.disconnect();
    container.remove();
  }
  const elements = removed.filter((node) => node instanceof Element);
  const svg = elements
    .map((element) => element.querySelector<SVGSVGElement>(`svg#${name}`))
    .find((found) => found !== null);
  if (svg === undefined || svg === null) throw new Error('No drawing was made.');
  return svg;
}

/** Returns the drawing as XML, with its size in CSS pixels, which an image cannot get from the page. */
function pictureOf(svg: SVGSVGElement) {
  const [, , width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  // Links do nothing in an image, and their addresses can be of any kind.
  for (const link of svg.querySelectorAll('a')) {
    link.removeAttribute('href');
    link.removeAttributeNS('http://www.w3.org/1999/xlink', 'href');
  }
  const words = [...svg.querySelectorAll('text')]
    .map(({ textContent }) => textContent.trim())
    .filter((text) => text !== '');
  return { svg: new XMLSerializer().serializeToString(svg), width, height, words };
}

obeyContentPolicy(document.currentScript?.nonce ?? '');
let last: Promise<void> = Promise.resolve();
window.addEventListener('message', ({ data, source }: MessageEvent<DrawRequest>) => {
  if (source !== window.parent) return;
  last = last.then(async () => window.parent.postMessage(await draw(data), '*'));
});
window.parent.postMessage({ ready: true } satisfies FrameReady, '*');
