import * as l10n from '@vscode/l10n';
import { withHiddenNamed } from '../../../../display/hiddenCharacters.ts';
import type { ApprovalChoice, ApprovalQuestion, DiffLine } from '../../../../pages/chat/protocol.ts';
import { IconButton } from '../../../shared/iconButton.tsx';
import { useStore } from '../../storeContext.ts';
import { DiffLines, numberedRows } from '../diffLines.tsx';
import { iconOf } from '../stepText.ts';
import { alwaysText, approvalTitle, chatText, explanation, onceText, secretsLine } from './approvalText.ts';
import { Card } from './card.tsx';
import { useCardFocus } from './useCardFocus.ts';

/** Asks whether the run may do something. After a text that gave instructions, denying is the default. */
export function ApprovalCard({ question }: { readonly question: ApprovalQuestion }) {
  const { action, folder, after, diff, input, helper } = question;
  const line = explanation(question);
  const secrets = secretsLine(question);
  return (
    <Card icon={iconOf(action)} title={approvalTitle(question)} role="alertdialog">
      {helper !== undefined && <p class="card-text">{l10n.t('The helper {0} asks', helper)}</p>}
      {after !== undefined && <p class="card-text">{l10n.t('Requested after reading {0}', after)}</p>}
      {after === undefined && folder !== undefined && <p class="card-text">{l10n.t('In the folder {0}', folder)}</p>}
      {diff === undefined ? (
        <pre class="asked">{withHiddenNamed(input === undefined ? action.object : `${action.object} ${input}`)}</pre>
      ) : (
        <AskedDiff question={question} diff={diff} />
      )}
      {secrets !== undefined && <p class="card-text">{secrets}</p>}
      <Choices question={question} />
      {line !== undefined && <p class="card-note">{line}</p>}
    </Card>
  );
}

function Choices({ question }: { readonly question: ApprovalQuestion }) {
  const store = useStore();
  const { number, choices, pattern, after } = question;
  const first = useCardFocus<HTMLButtonElement>(number, `${approvalTitle(question)} ${question.action.object}`);
  const deniesFirst = question.reason === 'instructions' || after !== undefined;
  const decide = ({ detail }: MouseEvent, choice: ApprovalChoice) => {
    // The second click of a double click can hit the next question, which nobody has read.
    if (detail > 1) return;
    store.post({ type: 'decide', question: number, choice });
    store.takeFocus();
  };
  const once = (
    <button
      key="once"
      ref={deniesFirst ? null : first}
      type="button"
      class={deniesFirst ? 'button' : 'button primary'}
      onKeyDown={pressOnce}
      onClick={(event) => decide(event, 'once')}
    >
      {onceText(question)}
    </button>
  );
  const deny = (
    <button
      key="deny"
      ref={deniesFirst ? first : null}
      type="button"
      class={deniesFirst ? 'button primary' : 'button'}
      onKeyDown={pressOnce}
      onClick={(event) => decide(event, 'deny')}
    >
      {l10n.t('Deny')}
    </button>
  );
  return (
    <div class="buttons">
      {deniesFirst ? deny : once}
      {choices.includes('chat') && (
        <button type="button" class="button" onKeyDown={pressOnce} onClick={(event) => decide(event, 'chat')}>
          {chatText(question)}
        </button>
      )}
      {choices.includes('always') && (
        <button type="button" class="button" onKeyDown={pressOnce} onClick={(event) => decide(event, 'always')}>
          <span class="button-word">{alwaysText(question)}</span>
          {pattern !== undefined && <code>{pattern}</code>}
        </button>
      )}
      {deniesFirst ? once : deny}
    </div>
  );
}

/** A key that is held down answers one question only. */
function pressOnce(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}

interface AskedDiffProps {
  readonly question: ApprovalQuestion;
  readonly diff: readonly DiffLine[];
}

/** The file and what would be written to it. */
function AskedDiff({ question, diff }: AskedDiffProps) {
  const store = useStore();
  const { action, reason } = question;
  const path = action.object;
  return (
    <div class="asked-diff">
      <div class="asked-file">
        <code>{withHiddenNamed(path)}</code>
        {reason !== 'outside' && action.kind !== 'create' && (
          <IconButton
            icon="go-to-file"
            label={l10n.t('Open {0}', path)}
            onClick={() => store.post({ type: 'openFile', path })}
          />
        )}
      </div>
      <DiffLines rows={numberedRows(diff.map(namedLine))} areNumbers />
    </div>
  );
}

function namedLine(line: DiffLine): DiffLine {
  return { ...line, text: withHiddenNamed(line.text) };
}
