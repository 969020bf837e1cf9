import { useLayoutEffect, useRef } from 'preact/hooks';
import { errorText } from '../../../../display/errors.ts';
import { late } from '../../../shared/late.ts';
import { FormulaPace } from './formulaPace.ts';

/** If its styles cannot be loaded, a formula is shown as its source. */
const formulas = late(async () => {
  const [{ drawFormula }] = await Promise.all([import('./katexRenderer.ts'), loadStyles()]);
  return drawFormula;
});

const pace = new FormulaPace(
  (callback) => requestAnimationFrame(callback),
  () => performance.now(),
);

/** Loads KaTeX's styles, which are next to the panel's own style sheet. */
async function loadStyles(): Promise<void> {
  const own = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href ?? document.baseURI;
  const styles = document.createElement('link');
  styles.rel = 'stylesheet';
  styles.href = new URL('math.css', own).href;
  const loaded = new Promise((resolve) => styles.addEventListener('load', resolve));
  document.head.append(styles);
  await loaded;
}

interface FormulaProps {
  readonly tex: string;
  /** The source with its delimiters, shown until the formula is rendered, or if it cannot be rendered. */
  readonly source: string;
  readonly display: boolean;
}

export function Formula({ tex, source, display }: FormulaProps) {
  const element = useRef<HTMLElement>(null);
  const drawInto = formulas.current;
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    target.title = '';
    target.textContent = source;
    if (drawInto === undefined) return;
    return pace.draw(() => {
      try {
        return drawInto(tex, target, display);
      } catch (error) {
        target.title = errorText(error);
        return 0;
      }
    });
  }, [drawInto, tex, source, display]);
  if (!display) return <span class="formula" dir="ltr" ref={element} />;
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
  return <span class="formula display" dir="ltr" tabIndex={0} ref={element} />;
}
