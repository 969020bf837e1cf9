import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AttachmentView } from '../../../editor/chat/protocol.ts';
import { promptRowId } from '../prompts/promptMatches.ts';
import type { ChatStore } from '../store.ts';
import { useStore } from '../storeContext.ts';
import { Chip } from './chip.tsx';
import { type DraftAction, draftAction } from './draftKeys.ts';

/** The chips and the text field of the composer. */
export function Draft({ attachments }: { readonly attachments: readonly AttachmentView[] }) {
  const store = useStore();
  const field = useRef<HTMLTextAreaElement>(null);
  const [selected, setSelected] = useState<string>();
  const requests = store.focusRequests.value;

  useLayoutEffect(() => {
    // A panel that is shown again must not take the focus from the editor; it asks when it wants the panel to have it.
    if (requests > 0 || document.hasFocus()) field.current?.focus();
  }, [requests]);
  useEffect(() => {
    const onFocus = () => {
      if (document.activeElement === document.body) field.current?.focus();
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, []);

  const choosing = store.popover.value === 'prompts';
  const choice = store.promptChoice.value;
  const active = choosing ? choice.matches[choice.active] : undefined;
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const last = attachments.at(-1);
    const action = draftAction(event, {
      isEmpty: store.draft.value === '',
      choosesPrompt: choosing && store.promptChoice.value.matches.length > 0,
      atStart: selectionStart === 0 && selectionEnd === 0,
      hasChips: last !== undefined,
      chipSelected: last !== undefined && selected === last.id,
    });
    if (action !== 'selectChip') setSelected(undefined);
    if (action === undefined) return;
    event.preventDefault();
    if (action !== 'selectChip' && action !== 'removeChip') ACTS[action](store);
    else if (last !== undefined && action === 'selectChip') setSelected(last.id);
    else if (last !== undefined) store.post({ type: 'detach', attachmentId: last.id });
  };

  return (
    <>
      {attachments.length > 0 && (
        <ul class="chips" aria-label="Attachments">
          {attachments.map((attachment) => (
            <li key={attachment.id}>
              <Chip
                attachment={attachment}
                selected={attachment.id === selected}
                onRemove={() => store.post({ type: 'detach', attachmentId: attachment.id })}
              />
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={field}
        class="draft"
        rows={1}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={choosing ? 'prompt-list' : undefined}
        aria-activedescendant={active === undefined ? undefined : promptRowId(active)}
        placeholder="Ask, or type / for a prompt"
        data-opens="prompts"
        value={store.draft.value}
        onInput={(event) => store.type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => setSelected(undefined)}
      />
    </>
  );
}

const ACTS: Readonly<Record<Exclude<DraftAction, 'selectChip' | 'removeChip'>, (store: ChatStore) => void>> = {
  send: (store) => store.send(),
  stop: (store) => store.stop(),
  editLast: (store) => store.editLast(),
  nextPrompt: (store) => store.movePrompt(1),
  previousPrompt: (store) => store.movePrompt(-1),
  usePrompt: (store) => store.usePrompt(),
  closePrompts: (store) => store.closePopover(),
};
