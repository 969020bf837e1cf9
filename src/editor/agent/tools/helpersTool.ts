import * as z from 'zod/mini';
import { modelNamed } from '../../../agent/customizations/modelNames.ts';
import { type HelperRole, helperRoles } from '../../../agent/helperRoles.ts';
import type { AskedHelper } from '../../../agent/helperTask.ts';
import {
  type AgentTool,
  defineTool,
  ToolError,
  type ToolOutcome,
  type ToolProgress,
  text,
} from '../../../agent/tools/tool.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import { smallModel } from '../../../service/smallModel.ts';

/** What the tool that starts helpers needs. */
export interface HelperServices {
  readonly models: () => readonly Model[];
  /** The model of the chat. */
  readonly model: () => string;
  /** The roles of the user's agent files. */
  readonly roles: readonly HelperRole[];
  readonly run: (helpers: readonly AskedHelper[], progress: ToolProgress) => Promise<ToolOutcome>;
}

const MAX_HELPERS = 8;
const MAX_CENTS = 10_000;

export function helpersTool(services: HelperServices): AgentTool {
  const roles = helperRoles(services.roles);
  const listed = [...roles.values()].map(({ name, description }) => `${name} (${description})`).join(', ');
  const helper = z.object({
    name: text('What it does, in two or three words.'),
    task: text('The whole task with everything that it needs to know: it sees nothing else.'),
    role: z.optional(text(`Default: reader. One of: ${listed}.`)),
    model: z.optional(text('Default: the cheapest model that is good enough for reading.')),
    budget_cents: z.optional(
      z
        .int()
        .check(
          z.minimum(1),
          z.maximum(MAX_CENTS),
          z.describe('The most that it may cost. Default: a part of what is left.'),
        ),
    ),
  });
  const schema = z.object({
    helpers: z.array(helper).check(z.minLength(1), z.maxLength(MAX_HELPERS), z.describe('They work at the same time.')),
  });
  const description =
    'Gives parts of the task to helpers, each with a context of its own, and returns their reports. ' +
    'Use it for parts that do not depend on each other and need much reading; do small things yourself.';
  return defineTool('run_helpers', description, schema, ({ helpers }) => {
    const asked = helpers.map((one) => {
      const role = roles.get(one.role?.trim() || 'reader');
      if (role === undefined)
        throw new ToolError(`There is no role ${one.role}. The roles are: ${[...roles.keys()].join(', ')}.`);
      const budget = one.budget_cents === undefined ? undefined : one.budget_cents / 100;
      return { name: one.name.trim(), text: one.task, role, model: modelFor(one.model, role, services), budget };
    });
    return {
      action: { kind: 'helpers', object: asked.map(({ name }) => name).join(', ') },
      resumes: true,
      run: (progress) => services.run(asked, progress),
    };
  });
}

/** @throws {ToolError} for a model that the catalog does not have, or that cannot use tools. */
function modelFor(named: string | undefined, role: HelperRole, services: HelperServices): string {
  const models = services.models().filter(({ tools }) => tools !== false);
  const ids = models.map(({ id }) => id);
  if (named !== undefined && named.trim() !== '') {
    const found = modelNamed(named.trim(), ids);
    if (found === undefined)
      throw new ToolError(`There is no model ${named} with tools. The models are: ${ids.join(', ')}.`);
    return found;
  }
  const ofRole = role.models.map((name) => modelNamed(name, ids)).find((id) => id !== undefined);
  const main = services.model();
  return ofRole ?? smallModel(models, main) ?? main;
}
