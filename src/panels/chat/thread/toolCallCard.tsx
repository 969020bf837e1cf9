import * as l10n from '@vscode/l10n';
import type { ToolCallView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { MoreButton, useShownPart } from '../answer/longList.tsx';
import { useFold } from '../answer/useFold.ts';
import { CodeBlock } from '../markdown/codeBlock.tsx';
import { indentedJson } from './indentedJson.ts';

interface ToolCallCardsProps {
  readonly calls: readonly ToolCallView[];
  /** True while their arguments may still arrive. */
  readonly growing: boolean;
}

export function ToolCallCards({ calls, growing }: ToolCallCardsProps) {
  const part = useShownPart(calls.length);
  return (
    <>
      {calls.slice(0, part.count).map((call) => (
        <ToolCallCard key={call.id} call={call} growing={growing} />
      ))}
      <MoreButton part={part} />
    </>
  );
}

interface ToolCallCardProps extends Pick<ToolCallCardsProps, 'growing'> {
  readonly call: ToolCallView;
}

/** A tool call: its name, and its collapsed arguments and result. */
function ToolCallCard({ call, growing }: ToolCallCardProps) {
  const [open, toggle] = useFold(`call ${call.id}`);
  const { name, result } = call;
  return (
    <div class="tool-call">
      <button type="button" class="tool-call-head" aria-expanded={open} onClick={toggle}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} size={12} />
        <Icon name="tools" size={14} />
        <bdi class="tool-call-name">{name}</bdi>
        <span class="tool-call-state">{stateOf(call, growing)}</span>
      </button>
      {open && (
        <div class="tool-call-body">
          <p class="tool-call-heading">{l10n.t('Arguments')}</p>
          <CodeBlock {...shown(call.arguments)} growing={false} />
          {result !== undefined && (
            <>
              <p class="tool-call-heading">{l10n.t('Result')}</p>
              <CodeBlock {...shown(result)} growing={false} />
            </>
          )}
        </div>
      )}
    </div>
  );
}

function stateOf({ arguments: written, result }: ToolCallView, growing: boolean): string {
  if (result !== undefined) return l10n.t('Done');
  return growing && written === '' ? l10n.t('In progress') : l10n.t('Not run here');
}

/** Returns formatted JSON, or the text itself if it is not JSON. */
function shown(text: string): { readonly text: string; readonly info: string } {
  const json = indentedJson(text);
  return json === undefined ? { text, info: '' } : { text: json, info: 'json' };
}
