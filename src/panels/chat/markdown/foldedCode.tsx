import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from '../../shared/icon.tsx';
import { reveal } from '../../shared/reveal.ts';

/** A block with more lines or characters is collapsed to its first lines. */
const MAX_UNFOLDED_LINES = 40;
const MAX_UNFOLDED_LENGTH = 20_000;

/** While a block grows, it is laid out again for each piece that arrives, so no more than twice this is shown of it. */
const GROWING_LENGTH = 50_000;
/** It begins with a line if one begins within this number of characters. */
const NEAR = 1000;

interface FoldedCodeProps {
  readonly text: string;
  readonly lines: number;
  readonly isWhole: boolean;
  readonly children: (shown: string) => ComponentChildren;
}

/**
 * The code, or its first lines with a button that shows the rest. The rest is not in the page, because the layout of
 * thousands of lines, or of a very long one, blocks the panel.
 */
export function FoldedCode({ text, lines, isWhole, children }: FoldedCodeProps) {
  const [isOpen, setOpen] = useState(false);
  const hasManyLines = lines > MAX_UNFOLDED_LINES;
  const folds = isWhole && (hasManyLines || text.length > MAX_UNFOLDED_LENGTH);
  const whole = isWhole ? text : endOf(text);
  const shown = useMemo(() => (folds && !isOpen ? beginningOf(whole) : whole), [whole, folds, isOpen]);
  const code = useRef<HTMLPreElement>(null);
  const toggle = () => {
    // Collapsing removes the text at the scroll position, so the beginning of the block is scrolled into view.
    if (isOpen) reveal(code.current);
    setOpen(!isOpen);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre ref={code} tabIndex={0} class={folds && !isOpen ? 'folded' : undefined}>
        {children(shown)}
      </pre>
      {folds && (
        <button type="button" class="code-fold" aria-expanded={isOpen} onClick={toggle}>
          <Icon name={isOpen ? 'fold' : 'unfold'} />
          {isOpen
            ? l10n.t('Show fewer lines')
            : hasManyLines
              ? l10n.t('Show all {0} lines', lines)
              : l10n.t('Show all')}
        </button>
      )}
    </>
  );
}

/** Returns the lines that a folded block can show. */
function beginningOf(text: string): string {
  return text.slice(0, MAX_UNFOLDED_LENGTH).split('\n', MAX_UNFOLDED_LINES).join('\n');
}

/** Returns the end of a growing text. Where it begins changes rarely, so that mostly text is added. */
function endOf(text: string): string {
  const from = (Math.floor(text.length / GROWING_LENGTH) - 1) * GROWING_LENGTH;
  if (from <= 0) return text;
  const line = text.indexOf('\n', from);
  const isNear = line !== -1 && line < from + NEAR;
  return `…${text.slice(isNear ? line : from).toWellFormed()}`;
}
