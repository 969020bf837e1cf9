import * as l10n from '@vscode/l10n';
import { useMemo, useState } from 'preact/hooks';
import { LinkButton } from '../../shared/button.tsx';

/** The depth to which JSON is initially expanded; longer lists stay collapsed. */
const OPEN_DEPTH = 2;
const OPEN_MEMBERS = 12;
/** Longer texts are truncated until the user expands them. In characters. */
const LONG_TEXT = 2_000;

/** A body as collapsible JSON, or as text if it is not JSON. */
interface TextProps {
  readonly text: string;
  /** Distinguishes it from others on the page. */
  readonly label: string;
}

export function JsonText({ text, label }: TextProps) {
  const value = useMemo(() => parsed(text), [text]);
  if (value === undefined) return <CodeText text={text} label={label} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <Value value={value.json} depth={0} />
    </section>
  );
}

export function CodeText({ text, label }: TextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function Value({ value, depth }: { readonly value: unknown; readonly depth: number }) {
  if (typeof value === 'string') return <Text text={value} />;
  if (value === null || typeof value === 'boolean') return <span class="json-word">{String(value)}</span>;
  if (typeof value === 'number') return <span class="json-number">{value}</span>;
  return <Members value={value as object} depth={depth} />;
}

function Text({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(text.length <= LONG_TEXT);
  if (isWhole) return <span class="json-text">{JSON.stringify(text)}</span>;
  return (
    <>
      <span class="json-text">{`${JSON.stringify(text.slice(0, LONG_TEXT)).slice(0, -1)}…`}</span>{' '}
      <LinkButton
        label={l10n.t('all {0} characters', text.length.toLocaleString('en-US'))}
        onClick={() => setWhole(true)}
      />
    </>
  );
}

function Members({ value, depth }: { readonly value: object; readonly depth: number }) {
  const members = Object.entries(value);
  const isList = Array.isArray(value);
  const [left, right] = isList ? '[]' : '{}';
  const [isOpen, setOpen] = useState(depth === 0 || (depth < OPEN_DEPTH && members.length <= OPEN_MEMBERS));
  if (members.length === 0) return <span>{`${left}${right}`}</span>;
  if (!isOpen) {
    return (
      <button type="button" class="json-fold" aria-expanded={false} onClick={() => setOpen(true)}>
        {`${left} … ${members.length} ${right}`}
      </button>
    );
  }
  return (
    <>
      <button type="button" class="json-fold" aria-expanded={true} onClick={() => setOpen(false)}>
        {left}
      </button>
      <div class="json-members">
        {members.map(([name, member], nth) => (
          <div key={name}>
            {!isList && (
              <>
                <span class="json-name">{JSON.stringify(name)}</span>
                {': '}
              </>
            )}
            <Value value={member} depth={depth + 1} />
            {nth < members.length - 1 ? ',' : ''}
          </div>
        ))}
      </div>
      <span>{right}</span>
    </>
  );
}
