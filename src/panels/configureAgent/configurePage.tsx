import type { ReadonlySignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../display/money.ts';
import { approximately, formatTokens } from '../../display/tokens.ts';
import type { ConfigureAgentState, ConfiguredKind, ConfiguredSection } from '../../pages/configureAgent/protocol.ts';
import { ItemTable, type Post } from './itemTable.tsx';

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

const EMPTY: Readonly<Record<ConfiguredKind, () => string>> = {
  instructions: () => l10n.t('No AGENTS.md, CLAUDE.md, copilot-instructions.md, or *.instructions.md.'),
  skills: () => l10n.t('No SKILL.md in .agents/skills, .github/skills, or .claude/skills.'),
  agents: () => l10n.t('No files in .github/agents or .claude/agents.'),
  tools: () => l10n.t('No other extension or MCP server provides tools.'),
};

/** What each step of the agent contains besides the conversation, with its tokens and costs. */
export function ConfigurePage({ state: { value: state }, post }: ConfigurePageProps) {
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
  const tokens = items.reduce(
    (sum, { isOn, problem, stepTokens }) => sum + (isOn && problem === undefined ? stepTokens : 0),
    0,
  );
  const { tokenPrice, model } = state;
  if (tokens === 0) {
    return (
      <p class="lead">{l10n.t('The steps of the agent contain none of these. Changes apply from the next run.')}</p>
    );
  }
  const size = approximately(formatTokens(tokens));
  return (
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
  );
}

interface SectionProps {
  readonly section: ConfiguredSection;
  readonly state: ConfigureAgentState;
  readonly post: Post;
}

function Section({ section, state, post }: SectionProps) {
  const { kind, items } = section;
  const title = TITLES[kind]();
  return (
    <section aria-label={title}>
      <div class="section-head">
        <h2>{title}</h2>
        {kind === 'agents' && (
          <button type="button" class="link" onClick={() => post({ type: 'newAgent' })}>
            {l10n.t('New Agent…')}
          </button>
        )}
      </div>
      {kind === 'tools' && items.length > 0 && <ToolsNote state={state} post={post} />}
      {items.length === 0 ? (
        <p class="empty">{EMPTY[kind]()}</p>
      ) : (
        <ItemTable title={title} section={section} countedSteps={state.countedSteps} post={post} />
      )}
    </section>
  );
}

function ToolsNote({ state, post }: Omit<SectionProps, 'section'>) {
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
      <button type="button" class="link" onClick={() => post({ type: 'openSettings' })}>
        {l10n.t('Change')}
      </button>
    </p>
  );
}
