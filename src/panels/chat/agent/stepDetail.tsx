import * as l10n from '@vscode/l10n';
import type { RunAction, ToolCallView } from '../../../pages/chat/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { Thumbnail } from '../controls/thumbnail.tsx';
import { useStore } from '../storeContext.ts';
import type { StepRow } from './stepText.ts';

/** How many lines at the end of an output are shown without a click. */
const LAST_LINES = 6;

const MARKED = /^(\s*)([✔✓✖✗×])/;

/** Returns what can be shown below an action: a command's output, or the result that the model got. */
export function detailOf({ calls, action }: StepRow): string {
  if (action.state === 'denied') return '';
  if (action.output !== undefined) return action.output.trimEnd();
  const results = calls.flatMap(({ result }) => result ?? []);
  return results.join('\n').trimEnd();
}

/** Whether the last lines are shown without a click. */
function isShownAtOnce({ kind, state, exitCode }: RunAction): boolean {
  return kind === 'command' && (state === 'running' || state === 'failed' || (exitCode ?? 0) !== 0);
}

/**
 * Whether the whole detail is shown, and a function that changes this. The state survives hiding and reloading the
 * panel.
 */
export function useDetail({ id }: StepRow): readonly [boolean, () => void] {
  const { memory } = useStore();
  const name = `action ${id}`;
  const open = memory.open.value.has(name);
  return [open, () => memory.setOpen(name, !open)];
}

/** The output of an action: its last lines, or all of it once it was unfolded. */
export function StepDetail({ row, open }: { readonly row: StepRow; readonly open: boolean }) {
  const { action } = row;
  const text = detailOf(row);
  const isShown = open || (isShownAtOnce(action) && (text !== '' || action.state === 'running'));
  return (
    <>
      {isShown && <Output text={text} open={open} isRunning={action.state === 'running'} />}
      <Images row={row} />
      {action.state === 'running' && action.kind === 'command' && <CommandLinks callId={row.id} />}
      {action.state === 'denied' && <Denial call={row.calls[0]} action={action} />}
    </>
  );
}

/** The images that the model got. */
function Images({ row: { calls, action } }: { readonly row: StepRow }) {
  const images = calls.flatMap((call) => call.images ?? []);
  if (images.length === 0) return null;
  return (
    <div class="action-images">
      {images.map(({ file }) => (
        <Thumbnail key={file} picture={file} label={action.object} icon="file-media" />
      ))}
    </div>
  );
}

interface OutputProps {
  readonly text: string;
  readonly open: boolean;
  readonly isRunning: boolean;
}

/** The last lines of a text, or all of it. */
export function Output({ text, open, isRunning }: OutputProps) {
  const lines = text === '' ? [] : text.split('\n');
  const shown = open ? lines : lines.filter((line) => line.trim() !== '').slice(-LAST_LINES);
  return (
    <pre class={open ? 'output open' : 'output'} tabIndex={open ? 0 : undefined}>
      {shown.map((line, index) => (
        <Line key={index} text={line} />
      ))}
      {isRunning && <span class="cursor" />}
    </pre>
  );
}

/** Colors the marks of test runners. */
function Line({ text }: { readonly text: string }) {
  const [start, space = '', mark = ''] = MARKED.exec(text) ?? [];
  if (start === undefined) return <span class="output-line">{`${text}\n`}</span>;
  return (
    <span class="output-line">
      {space}
      <span class={mark === '✔' || mark === '✓' ? 'good' : 'bad'}>{mark}</span>
      {`${text.slice(start.length)}\n`}
    </span>
  );
}

function CommandLinks({ callId }: { readonly callId: string }) {
  const store = useStore();
  // The links are removed when the command has ended.
  const cancel = () => {
    store.post({ type: 'cancelCommand', callId });
    store.takeFocus();
  };
  return (
    <div class="action-foot">
      <LinkButton label={l10n.t('Show Terminal')} onClick={() => store.post({ type: 'showTerminal', callId })} />
      <LinkButton label={l10n.t('Cancel Command')} onClick={cancel} />
    </div>
  );
}

/** Why an action was denied. What the user denied can be allowed while the run continues. */
function Denial({ call, action }: { readonly call: ToolCallView | undefined; readonly action: RunAction }) {
  const store = useStore();
  const isByRule = action.denied?.by === 'rule';
  const allow = (callId: string) => {
    store.post({ type: 'allowOnce', callId });
    store.takeFocus();
  };
  return (
    <div class="action-foot">
      <span class="action-reason">{action.denied?.reason ?? l10n.t('The model was informed.')}</span>
      {!isByRule && call !== undefined && store.acting.value && (
        <LinkButton label={l10n.t('Allow Once')} onClick={() => allow(call.id)} />
      )}
    </div>
  );
}
