/** The states of the page that configures the agent. */
import type { ConfigureAgentState, ConfiguredKind } from '../../../src/pages/configureAgent/protocol.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly state: ConfigureAgentState;
}

const KINDS: readonly ConfiguredKind[] = ['instructions', 'skills', 'agents', 'tools'];

const NONE: ConfigureAgentState = {
  sections: KINDS.map((kind) => ({ kind, items: [] })),
  isTrusted: true,
  model: 'familya-sonnet-4.6',
  tokenPrice: 3e-6,
  savedTokens: 0,
  maxToolTokens: 4000,
};

const FULL: ConfigureAgentState = {
  ...NONE,
  countedSteps: 100,
  keptDescription: 58,
  savedTokens: 9800,
  sections: [
    {
      kind: 'instructions',
      items: [
        file('AGENTS.md', { detail: 'Every request', stepTokens: 840, spent: 0.42 }),
        file('CLAUDE.md', { detail: 'Every request', problem: 'AGENTS.md is used instead.' }),
        file('packages/web/AGENTS.md', { detail: 'Files below packages/web', usedTokens: 310, spent: 0.03 }),
        file('.github/instructions/python.instructions.md', {
          detail: 'Files that match **/*.py',
          usedTokens: 120,
          isUnused: true,
        }),
        file('.github/instructions/style.instructions.md', {
          problem: 'Line 3: The front matter is not valid YAML: Flow sequence in block collection must be closed',
        }),
      ],
    },
    {
      kind: 'skills',
      items: [
        file('.agents/skills/release/SKILL.md', {
          name: 'release',
          detail: 'Prepare a release: version, changelog, and tag. Use when asked to release.',
          stepTokens: 45,
          usedTokens: 620,
          spent: 0.02,
        }),
        file('~/.agents/skills/pdf-forms/SKILL.md', {
          name: 'pdf-forms',
          detail: 'Fill in PDF forms.',
          stepTokens: 32,
          usedTokens: 1900,
          isUnused: true,
        }),
      ],
    },
    {
      kind: 'agents',
      items: [
        file('.github/agents/reviewer.agent.md', {
          name: 'reviewer',
          detail: 'Reviews changes and edits nothing',
          usedTokens: 260,
        }),
      ],
    },
    {
      kind: 'tools',
      items: [
        {
          id: 'mcp_github_search',
          name: 'mcp_github_search',
          detail: 'Searches issues.',
          isOn: true,
          stepTokens: 18,
          usedTokens: 240,
          spent: 0.11,
        },
        {
          id: 'mcp_github_create',
          name: 'mcp_github_create',
          detail: 'Creates an issue.',
          isOn: false,
          stepTokens: 16,
          usedTokens: 310,
        },
      ],
    },
  ],
};

export const STATES: readonly GalleryState[] = [
  { name: 'full', title: 'Instructions, skills, agents, and tools on demand', state: FULL },
  { name: 'none', title: 'Nothing was found', state: NONE },
  { name: 'untrusted', title: 'In a workspace that is not trusted', state: { ...NONE, isTrusted: false } },
];

type Item = ConfigureAgentState['sections'][number]['items'][number];

function file(path: string, item: Partial<Item>): Item {
  return { id: path, path, name: path.split('/').at(-1) ?? path, detail: '', isOn: true, stepTokens: 0, ...item };
}
