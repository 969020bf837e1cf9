import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { LinkButton } from '../../shared/button.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';

/** How long a notice is shown that does not last, in milliseconds; longer while it is hovered or focused. */
const SHOWN_MS = 15_000;

/** Shows the last action, with an undo button. */
export function UndoNotice() {
  const store = useStore();
  const notice = store.undoable.notice.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (notice === undefined || notice.lasts) return;
    const timer = setInterval(() => {
      if (box.current?.matches(':hover, :focus-within') !== true) store.undoable.hide();
    }, SHOWN_MS);
    return () => clearInterval(timer);
  }, [notice, store]);
  if (notice === undefined) return null;
  return (
    <div ref={box} class="notice">
      <span class="notice-text">{notice.text}</span>
      <LinkButton label={l10n.t('Undo')} onClick={() => store.undoable.undo()} />
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => store.undoable.dismiss()} />
    </div>
  );
}
