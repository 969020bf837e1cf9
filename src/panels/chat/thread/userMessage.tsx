import * as l10n from '@vscode/l10n';
import type { UserTurn } from '../../../pages/chat/protocol.ts';
import { IconButton } from '../../shared/iconButton.tsx';
import { MoreButton, useShownPart } from '../answer/longList.tsx';
import { useFold } from '../answer/useFold.ts';
import { Chip } from '../composer/chip.tsx';
import { CodeBlock } from '../markdown/codeBlock.tsx';
import { useStore } from '../storeContext.ts';
import { MessageEditor } from './messageEditor.tsx';
import { Pager } from './pager.tsx';
import { isLong, userParts } from './userText.ts';

export function UserMessage({ turn, last }: { readonly turn: UserTurn; readonly last: boolean }) {
  const store = useStore();
  const editing = store.editor.questionId.value === turn.id;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move between turns, Tab enters one
    <article class="turn user" data-turn={turn.id} aria-label={l10n.t('You')} tabIndex={0}>
      <div class="user-box">
        {editing ? <MessageEditor turn={turn} /> : <MessageText turn={turn} />}
        {!editing && turn.attachments.length > 0 && <Attachments attachments={turn.attachments} />}
      </div>
      {!editing && <MessageBar turn={turn} last={last} />}
    </article>
  );
}

function Attachments({ attachments }: Pick<UserTurn, 'attachments'>) {
  const part = useShownPart(attachments.length);
  return (
    <>
      <ul class="chips" aria-label={l10n.t('Attachments')}>
        {attachments.slice(0, part.count).map((attachment) => (
          <li key={attachment.id}>
            <Chip attachment={attachment} />
          </li>
        ))}
      </ul>
      <MoreButton part={part} />
    </>
  );
}

/** Shows what was sent instead of the short sentence, or all of a long text, if the user wants to see it. */
function MessageText({ turn: { id, text, shown } }: { readonly turn: UserTurn }) {
  const long = shown === undefined && isLong(text);
  const [open, toggle] = useFold(`question ${id}`);
  return (
    <>
      <div class={`user-text${long && !open ? ' folded' : ''}`}>
        {userParts(open ? text : (shown ?? text)).map((part, index) => {
          if (part.kind === 'block') return <CodeBlock key={index} text={part.text} info={part.info} growing={false} />;
          return part.kind === 'code' ? <code key={index}>{part.text}</code> : part.text;
        })}
      </div>
      {(long || shown) && (
        <button type="button" class="link" aria-expanded={open} onClick={toggle}>
          {open ? l10n.t('Show less') : shown ? l10n.t('Show what was sent') : l10n.t('Show all')}
        </button>
      )}
    </>
  );
}

/** Below the message if it has versions, otherwise in its corner while the message is hovered or focused. */
function MessageBar({ turn, last }: { readonly turn: UserTurn; readonly last: boolean }) {
  const store = useStore();
  const busy = store.busy.value;
  return (
    <div class={turn.branch === undefined && !last ? 'turn-bar floating' : 'turn-bar'}>
      {store.isConnected.value && (
        <div class="turn-actions">
          <IconButton
            icon="edit"
            label={l10n.t('Edit and send again')}
            disabled={busy}
            onClick={() => store.editor.open(turn.id)}
          />
          {last && (
            <IconButton
              icon="refresh"
              label={l10n.t('Request an answer')}
              disabled={busy}
              onClick={() => store.takeStep('retry', turn.id)}
            />
          )}
          <IconButton
            icon="trash"
            label={l10n.t('Delete question and answers')}
            disabled={busy}
            onClick={() => store.removeTurn(turn.id)}
          />
        </div>
      )}
      {turn.branch !== undefined && <Pager turnId={turn.id} branch={turn.branch} />}
    </div>
  );
}
