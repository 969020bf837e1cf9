import * as l10n from '@vscode/l10n';
import { LinkButton } from '../shared/button.tsx';
import './styles/index.css';
import { type ReadonlySignal, signal } from '@preact/signals';
import { render } from 'preact';
import { formatMoney } from '../../display/money.ts';
import { approximately, formatTokens } from '../../display/tokens.ts';
import type { ConfigureAgentMessage, ConfigureAgentTransport } from '../../pages/configureAgent/configureMessages.ts';
import type {
  ConfigureAgentState,
  ConfiguredItem,
  ConfiguredKind,
  ConfiguredSection,
} from '../../pages/configureAgent/protocol.ts';
import type { ContextKind } from '../../rules/contextPart.ts';
import { ContextBar } from '../shared/contextBar.tsx';
import { contextColor } from '../shared/contextGroups.ts';
import { Icon } from '../shared/icon.tsx';

interface ConfigurePageProps {
  readonly state: ReadonlySignal<ConfigureAgentState | undefined>;
  readonly post: Post;
}

const TITLES: Readonly<Record<ConfiguredKind, () => string>> = {
  instructions: () => l10n.t('Instructions'),
  skills: () => l10n.t('Skills'),
  agents: () => l10n.t('Agents'),
  tools: () => l10n.t('Tools from other extensions and MCP servers'),
};

/** The parts of a context that they are. */
const PART_KINDS: Readonly<Record<ConfiguredKind, ContextKind>> = {
  instructions: 'instructions',
  skills: 'instructions',
  agents: 'system',
  tools: 'tools',
};

const EMPTY: Readonly<Record<ConfiguredKind, () => string>> = {
  instructions: () => l10n.t('No AGENTS.md, CLAUDE.md, copilot-instructions.md, or *.instructions.md.'),
  skills: () => l10n.t('No SKILL.md in .agents/skills, .github/skills, or .claude/skills.'),
  agents: () => l10n.t('No files in .github/agents or .claude/agents.'),
  tools: () => l10n.t('No other extension or MCP server provides tools.'),
};

/** What each step of the agent contains besides the conversation, with its tokens and costs. */
function ConfigurePage({ state: { value: state }, post }: ConfigurePageProps) {
  if (state === undefined) return null;
  return (
    <main class="configure-page">
      <h1>{l10n.t('Configure Agent')}</h1>
      <Summary state={state} />
      {!state.isTrusted && (
        <p class="card" role="status">
          {l10n.t('This workspace is not trusted, so its instructions, skills, and agents are not read.')}
        </p>
      )}
      {state.sections.map((section) => (
        <Section key={section.kind} section={section} state={state} post={post} />
      ))}
    </main>
  );
}

function Summary({ state }: { readonly state: ConfigureAgentState }) {
  const items = state.sections.flatMap((section) => section.items);
  const tokens = items.filter(isSent).reduce((sum, { stepTokens }) => sum + stepTokens, 0);
  const { tokenPrice, model } = state;
  if (tokens === 0) {
    return (
      <p class="lead">{l10n.t('The steps of the agent contain none of these. Changes apply from the next run.')}</p>
    );
  }
  const size = approximately(formatTokens(tokens));
  const parts = state.sections.flatMap(({ kind, items: own }) =>
    own.filter(isSent).map(({ stepTokens }) => ({ kind: partKind(kind, state), tokens: stepTokens })),
  );
  return (
    <>
      <p class="lead">
        {tokenPrice === undefined
          ? l10n.t('Each step of the agent contains {0} tokens of these. Changes apply from the next run.', size)
          : l10n.t(
              'Each step of the agent contains {0} tokens of these, at most {1} with {2}. Changes apply from the next run.',
              size,
              formatMoney(tokens * tokenPrice),
              model,
            )}
      </p>
      <ContextBar parts={parts} text={(sum) => approximately(formatTokens(sum))} />
    </>
  );
}

/** The names of tools that are loaded on demand are a list in the system prompt. */
function partKind(kind: ConfiguredKind, { savedTokens }: ConfigureAgentState): ContextKind {
  return kind === 'tools' && savedTokens > 0 ? 'system' : PART_KINDS[kind];
}

function isSent({ isOn, problem }: ConfiguredItem): boolean {
  return isOn && problem === undefined;
}

interface ConfiguredSectionProps {
  readonly section: ConfiguredSection;
  readonly state: ConfigureAgentState;
  readonly post: Post;
}

function Section({ section, state, post }: ConfiguredSectionProps) {
  const { kind, items } = section;
  const title = TITLES[kind]();
  return (
    <section aria-label={title}>
      <div class="section-head">
        <h2>
          <i class={`part-mark ${contextColor(partKind(kind, state))}`} />
          {title}
        </h2>
        {kind === 'agents' && <LinkButton label={l10n.t('New Agent…')} onClick={() => post({ type: 'newAgent' })} />}
      </div>
      {kind === 'skills' && state.keptDescription !== undefined && (
        <p class="section-note">{shortenedText(state.keptDescription)}</p>
      )}
      {kind === 'tools' && items.length > 0 && <ToolsNote state={state} post={post} />}
      {items.length === 0 ? (
        <p class="empty">{EMPTY[kind]()}</p>
      ) : (
        <ItemTable title={title} section={section} countedSteps={state.countedSteps} post={post} />
      )}
    </section>
  );
}

function shortenedText(kept: number): string {
  return kept === 0
    ? l10n.t('Their descriptions are too long together, so steps contain only their names.')
    : l10n.t('Their descriptions are too long together, so steps contain at most {0} characters of each.', kept);
}

function ToolsNote({ state, post }: Omit<ConfiguredSectionProps, 'section'>) {
  const limit = formatTokens(state.maxToolTokens);
  return (
    <p class="section-note">
      {state.savedTokens > 0
        ? l10n.t(
            'Their definitions have more than {0} tokens, so steps contain only their names, and the model loads what it needs. This saves {1} tokens per step.',
            limit,
            approximately(formatTokens(state.savedTokens)),
          )
        : l10n.t('Above {0} tokens, steps contain only their names, and the model loads what it needs.', limit)}{' '}
      <LinkButton label={l10n.t('Change')} onClick={() => post({ type: 'openSettings' })} />
    </p>
  );
}

/** Renders the page that configures the agent into `root` and connects it to its host. */
export function startConfigureAgent(root: HTMLElement, transport: ConfigureAgentTransport): void {
  const state = signal<ConfigureAgentState | undefined>(undefined);
  render(<ConfigurePage state={state} post={(message) => transport.post(message)} />, root);
  transport.listen((message) => {
    state.value = message.state;
  });
  transport.post({ type: 'ready' });
}

type Post = (message: ConfigureAgentMessage) => void;

interface ItemTableProps {
  readonly title: string;
  readonly section: ConfiguredSection;
  readonly countedSteps: number | undefined;
  readonly post: Post;
}

function ItemTable({ title, section: { kind, items }, countedSteps, post }: ItemTableProps) {
  return (
    <table class="table items" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{l10n.t('Name')}</th>
          <th scope="col" class="figure">
            {l10n.t('Tokens per step')}
          </th>
          <th scope="col" class="figure">
            {l10n.t('Cost so far')}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id} class={item.isOn && item.problem === undefined ? '' : 'off'}>
            <td>
              <label class="item-name">
                <input
                  type="checkbox"
                  checked={item.isOn}
                  onChange={({ currentTarget }) =>
                    post({ type: 'switch', kind, id: item.id, isOn: currentTarget.checked })
                  }
                />
                <span>{item.name}</span>
              </label>
              <ItemNotes item={item} countedSteps={countedSteps} post={post} />
            </td>
            <td class="figure number">
              <ItemTokens item={item} />
            </td>
            <td class="figure number">{item.spent === undefined ? '–' : formatMoney(item.spent)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ItemNotesProps {
  readonly item: ConfiguredItem;
  readonly countedSteps: number | undefined;
  readonly post: Post;
}

function ItemNotes({ item, countedSteps, post }: ItemNotesProps) {
  const { path, detail, problem, isUnused, isOn } = item;
  return (
    <div class="item-notes">
      {path !== undefined && (
        <button type="button" class="link item-path" onClick={() => post({ type: 'open', path })}>
          {path === item.name ? l10n.t('Open') : path}
        </button>
      )}
      {detail !== '' && (
        <p class="item-detail" title={detail}>
          {detail}
        </p>
      )}
      {problem !== undefined && (
        <p class="item-problem">
          <Icon name="warning" size={14} /> {problem}
        </p>
      )}
      {isUnused === true && isOn && problem === undefined && countedSteps !== undefined && (
        <p class="item-unused">
          <Icon name="circle-slash" size={14} /> {l10n.t('Not used in the last {0} steps', countedSteps)}
        </p>
      )}
    </div>
  );
}

/** In a narrow page, the two numbers are on two lines. */
function ItemTokens({ item: { stepTokens, usedTokens } }: { readonly item: ConfiguredItem }) {
  return (
    <>
      <span>{stepTokens === 0 ? '0' : approximately(formatTokens(stepTokens))}</span>
      {usedTokens !== undefined && <span> {l10n.t('(used: {0})', approximately(formatTokens(usedTokens)))}</span>}
    </>
  );
}
