import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface SummaryEditorProps {
  readonly text: string;
  /** Called with the changed text, or without one if nothing is to be changed. */
  readonly onClose: (text?: string) => void;
}

/** Changes the text of a summary, which is sent from the next step on. */
export function SummaryEditor({ text, onClose }: SummaryEditorProps) {
  const [written, setWritten] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const isEmpty = written.trim() === '';
  return (
    <form
      class="summary-editor"
      aria-label={l10n.t('Edit Summary')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onClose(written === text ? undefined : written);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.ctrlKey || event.metaKey || event.isComposing) return;
        event.preventDefault();
        onClose();
      }}
    >
      <textarea
        ref={field}
        dir="auto"
        rows={8}
        aria-label={l10n.t('Summary text')}
        value={written}
        onInput={({ currentTarget }) => setWritten(currentTarget.value)}
      />
      <div class="buttons">
        <button type="submit" class="button primary" aria-disabled={isEmpty}>
          {l10n.t('Save')}
        </button>
        <button type="button" class="button" onClick={() => onClose()}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </form>
  );
}
