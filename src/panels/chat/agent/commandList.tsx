import * as l10n from '@vscode/l10n';
import { formatSeconds } from '../../../display/time.ts';
import type { CommandAct, CommandView } from '../../../pages/chat/protocol.ts';
import { useNow } from '../../shared/hooks.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';
import { Output } from './stepDetail.tsx';
import { exitText } from './stepText.ts';

/** The commands of the agent that go on in the background, above the composer. */
export function CommandList({ commands }: { readonly commands: readonly CommandView[] }) {
  return (
    <section class="command-list" aria-label={l10n.t('Commands in the background')}>
      {commands.map((command) => (
        <CommandRow key={command.id} command={command} />
      ))}
    </section>
  );
}

function CommandRow({ command }: { readonly command: CommandView }) {
  const store = useStore();
  const { id, isRunning, isKept, question, output } = command;
  const name = `command ${id}`;
  const isOpened = store.memory.open.value.has(name);
  const open = isOpened || question !== undefined;
  const act = (what: CommandAct) => store.post({ type: 'actOnCommand', commandId: id, act: what });
  return (
    <div class="command-row">
      <div class="command-head">
        <button
          type="button"
          class="action-line"
          aria-expanded={open}
          onClick={() => store.memory.setOpen(name, !isOpened)}
        >
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={12} />
          <span class="action-text" title={command.command}>
            <code>{command.command}</code>
          </span>
          <CommandState command={command} />
        </button>
        <IconButton icon="terminal" label={l10n.t('Show Terminal')} onClick={() => act('show')} />
        {isRunning && (
          <>
            <IconButton
              icon={isKept ? 'pinned' : 'pin'}
              label={isKept ? l10n.t('Kept after the run') : l10n.t('Keep After the Run')}
              disabled={isKept}
              onClick={() => act('keep')}
            />
            <IconButton icon="debug-stop" label={l10n.t('Stop {0}', command.command)} onClick={() => act('stop')} />
          </>
        )}
      </div>
      {open && <Output text={output} open={false} isRunning={isRunning} />}
      {question !== undefined && (
        <p class="command-question" role="alert">
          <Icon name="warning" size={14} />
          {l10n.t('It waits for an answer. Type it in the terminal, or stop the command.')}
        </p>
      )}
    </div>
  );
}

function CommandState({ command }: { readonly command: CommandView }) {
  const { now } = useStore();
  const { isRunning, startedAt, exitCode } = command;
  const time = useNow(now, isRunning);
  if (isRunning) {
    return (
      <span class="action-result number">
        <span class="spinner" />
        {formatSeconds(Math.max(0, time - startedAt))}
      </span>
    );
  }
  return (
    <span class={`action-result number ${exitCode === 0 ? 'good' : 'bad'}`}>
      {exitCode === undefined ? l10n.t('Stopped') : exitText(exitCode)}
    </span>
  );
}
