import type * as vscode from 'vscode';
import type { Entry } from '../../chat/conversation/entry.ts';

const KEY = 'modelAccess.agent.uses';
/** What was not used in as many steps counts as unused. */
const MAX_STEPS = 100;
/** In fewer steps, nothing can be told. */
const MIN_STEPS = 20;

interface Uses {
  readonly steps: number;
  /** The number of the last step that used a file, by its path, or a tool or skill, by its name. */
  readonly last: Readonly<Record<string, number>>;
}

/** When the agent last used its skills, agents, tools, and instructions in this workspace, counted in steps. */
export class AgentUses {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Counts a step, with the names of what it has used. */
  async count(used: readonly string[]): Promise<void> {
    const { steps, last } = this.#uses;
    const now = steps + 1;
    await this.#memory.update(KEY, {
      steps: now,
      last: { ...last, ...Object.fromEntries(used.map((name) => [name, now])) },
    });
  }

  /** The number of steps that {@link isUnused} looks at; undefined while they are too few. */
  get counted(): number | undefined {
    const { steps } = this.#uses;
    return steps < MIN_STEPS ? undefined : Math.min(steps, MAX_STEPS);
  }

  isUnused(name: string): boolean {
    const { steps, last } = this.#uses;
    return this.counted !== undefined && (last[name] ?? Number.NEGATIVE_INFINITY) <= steps - MAX_STEPS;
  }

  get #uses(): Uses {
    return this.#memory.get<Uses>(KEY, { steps: 0, last: {} });
  }
}

/** The names of what a step has used: the tools and skills that it called, and the instructions attached before it. */
export function usedBy(entry: Entry): readonly string[] {
  if (entry.role === 'user') return entry.attachments.map(({ path }) => path);
  return (entry.toolCalls ?? []).flatMap(({ action }) =>
    action?.kind === 'tool' || action?.kind === 'skill' ? [action.object] : [],
  );
}
