import { useState } from 'preact/hooks';
import type { UserTurn } from '../../../editor/chat/protocol.ts';
import { Chip } from '../composer/chip.tsx';
import { CodeBlock } from '../markdown/codeBlock.tsx';
import { isLong, userParts } from './userText.ts';

export function UserMessage({ turn }: { readonly turn: UserTurn }) {
  const long = isLong(turn.text);
  const [open, setOpen] = useState(false);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move between turns, Tab enters one
    <article class="turn user" aria-label="You" tabIndex={0}>
      <div class={`user-text${long && !open ? ' folded' : ''}`}>
        {userParts(turn.text).map((part, index) => {
          if (part.kind === 'block') return <CodeBlock key={index} text={part.text} info={part.info} growing={false} />;
          return part.kind === 'code' ? <code key={index}>{part.text}</code> : part.text;
        })}
      </div>
      {long && (
        <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show all'}
        </button>
      )}
      {turn.attachments.length > 0 && (
        <ul class="chips" aria-label="Attachments">
          {turn.attachments.map((attachment) => (
            <li key={attachment.id}>
              <Chip attachment={attachment} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
