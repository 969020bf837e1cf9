import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { BranchView } from '../../../pages/chat/protocol.ts';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';

/** The place of the button that was pressed last: the version that it shows has buttons of its own. */
let pressed: 0 | 1 | undefined;

/** Switches between versions: `2 / 3`. */
export function Pager({ turnId, branch }: { readonly turnId: string; readonly branch: BranchView }) {
  const store = useStore();
  const busy = store.busy.value;
  const { position, count } = branch;
  const group = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (pressed === undefined || document.activeElement !== document.body) return;
    group.current?.querySelectorAll('button')[pressed]?.focus();
    pressed = undefined;
  }, []);
  const show = (next: number) => {
    pressed = next < position ? 0 : 1;
    store.post({ type: 'showBranch', turnId, position: next });
    store.announce(l10n.t('Version {0} of {1}.', next, count));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of form fields
    <div ref={group} class="pager number" role="group" aria-label={l10n.t('Versions')}>
      <IconButton
        icon="chevron-left"
        label={l10n.t('Previous version')}
        disabled={busy || position === 1}
        onClick={() => show(position - 1)}
      />
      <span aria-label={l10n.t('Version {0} of {1}', position, count)} role="img">
        {`${position} / ${count}`}
      </span>
      <IconButton
        icon="chevron-right"
        label={l10n.t('Next version')}
        disabled={busy || position === count}
        onClick={() => show(position + 1)}
      />
    </div>
  );
}
