/** The models that the sandbox offers: the names in the specification, with sample figures. */
import type { Usage } from '../formats/usage.ts';
import { priceOf } from '../tokens/price.ts';

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

interface SandboxCapabilities {
  readonly tools: boolean;
  readonly images: boolean;
  readonly reasoning: boolean;
}

export interface SandboxModel {
  readonly id: string;
  readonly family: string;
  /** Maximum tokens of a request, and of an answer. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly price: Price;
  readonly capabilities: SandboxCapabilities;
}

type SandboxFigures = readonly [contextWindow: number, maxOutputTokens: number, input: number, output: number];

const EVERYTHING: SandboxCapabilities = { tools: true, images: true, reasoning: true };

/** The names come from the specification. It has no figures, so these are samples, as `docs/sandbox.md` says. */
export const catalog: readonly SandboxModel[] = [
  model('Family A', 'familya-haiku-4.5', [200_000, 64_000, 1, 5], { ...EVERYTHING, reasoning: false }),
  model('Family A', 'familya-opus-4.5', [200_000, 64_000, 5, 25]),
  model('Family A', 'familya-opus-4.6', [1_000_000, 128_000, 5, 25]),
  model('Family A', 'familya-sonnet-4.5', [200_000, 64_000, 3, 15]),
  model('Family A', 'familya-sonnet-4.6', [200_000, 64_000, 3, 15]),
  model('Family B', 'familyb-3-flash-preview', [1_000_000, 64_000, 0.5, 3]),
  model('Family B', 'familyb-3-pro-preview', [1_000_000, 64_000, 2, 12]),
  model('Family B', 'familyb-3.1-pro', [1_000_000, 64_000, 2, 12]),
  model('Family C', 'familyc-5.3-codex', [400_000, 128_000, 1.75, 14]),
  model('Family C', 'familyc-5.4', [1_000_000, 128_000, 2.5, 15]),
  model('Family D', 'familyd-code-fast-1', [256_000, 32_000, 0.2, 1.5], { ...EVERYTHING, images: false }),
];

const byId: ReadonlyMap<string, SandboxModel> = new Map(catalog.map((entry) => [entry.id, entry]));

export function findModel(id: string): SandboxModel | undefined {
  return byId.get(id);
}

/** Returns US dollars. Caches cost the usual multiples of the input price, because the catalog lists no prices of them. */
export function costOf(usage: Usage, { input, output }: Price): number {
  return priceOf(usage, { inputPrice: input, outputPrice: output }) ?? 0;
}

function model(
  family: string,
  id: string,
  [contextWindow, maxOutputTokens, input, output]: SandboxFigures,
  capabilities: SandboxCapabilities = EVERYTHING,
): SandboxModel {
  return { id, family, contextWindow, maxOutputTokens, price: { input, output }, capabilities };
}
