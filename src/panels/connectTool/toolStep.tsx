import * as l10n from '@vscode/l10n';
import type { ConnectTool } from '../../pages/connectTool/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { Step } from './step.tsx';
import { useStore } from './store.ts';

/** The tools on this machine, and one line with those that were not found. */
export function ToolStep() {
  const store = useStore();
  const tools = store.state.value?.tools ?? [];
  const installed = tools.filter(({ isInstalled }) => isInstalled);
  const others = tools.filter(({ isInstalled }) => !isInstalled);
  const count = tools.filter(({ isFound }) => isFound).length;
  const note = count > 0 && { note: l10n.t('{0} installed', String(count)) };
  return (
    <Step number={1} name={l10n.t('Tool')} isDone={store.isDone.value} {...note}>
      <div role="radiogroup" aria-label={l10n.t('Tool')}>
        <div class="tools">
          {installed.map((tool) => (
            <ToolRow key={tool.id} tool={tool} />
          ))}
        </div>
        {others.length > 0 && <OtherTools tools={others} isOpen={count === 0} />}
      </div>
    </Step>
  );
}

function OtherTools({ tools, isOpen }: { readonly tools: readonly ConnectTool[]; readonly isOpen: boolean }) {
  const store = useStore();
  const isChosen = tools.some(({ id }) => id === store.form.value.tool);
  const names = tools.map(({ name }) => name).join(', ');
  return (
    <details class="others" open={isChosen || isOpen}>
      <summary>{l10n.t('Not found on this computer: {0}', names)}</summary>
      <div class="tools">
        {tools.map((tool) => (
          <ToolRow key={tool.id} tool={tool} hasDocumentation />
        ))}
      </div>
    </details>
  );
}

function ToolRow({
  tool,
  hasDocumentation = false,
}: {
  readonly tool: ConnectTool;
  readonly hasDocumentation?: boolean;
}) {
  const store = useStore();
  const { id, name, version, file, isConnected } = tool;
  const isChosen = id === store.form.value.tool;
  return (
    <div class={isChosen ? 'tool-row chosen' : 'tool-row'}>
      <label>
        <input
          type="radio"
          name="tool"
          checked={isChosen}
          disabled={store.isBusy.value}
          onChange={() => store.choose(tool)}
        />
        <span class="tool-text">
          <span>
            {name} {version !== undefined && <span class="meta">{version}</span>}
          </span>
          {file === undefined ? (
            <span class="meta">{l10n.t('No file. Copies the fields to the clipboard.')}</span>
          ) : (
            <code class="meta">{file}</code>
          )}
        </span>
        {isConnected && (
          <span class="tag">
            <Icon name="pass" size={14} />
            {l10n.t('Connected')}
          </span>
        )}
      </label>
      {hasDocumentation && (
        <button
          type="button"
          class="link"
          aria-label={l10n.t('{0} documentation', name)}
          onClick={() => store.post({ type: 'openDocumentation', tool: id })}
        >
          {l10n.t('Documentation')}
        </button>
      )}
    </div>
  );
}
