import type { DiffLine } from '../../editor/chat/protocol.ts';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: '', added: '+', removed: '−' };

/** Lines with their numbers before and after the change. */
export function CodeLines({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <pre class="code-lines">
      {lines.map((line, index) => (
        <span key={index} class={`code-line ${line.kind}`}>
          <span class="line-number" aria-hidden="true">
            {line.old}
          </span>
          <span class="line-number" aria-hidden="true">
            {line.new}
          </span>
          <span class="sign">{SIGNS[line.kind]}</span>
          <span class="line-text">{`${line.text}\n`}</span>
        </span>
      ))}
    </pre>
  );
}
