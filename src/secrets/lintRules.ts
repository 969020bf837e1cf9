/** Secretlint's recommended rules, which are called directly: its core takes four times as long as the rules. */
import { rules as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import { locateMatches, type RuleMatch } from './locatedSecret.ts';
import type { SecretRule } from './secretRule.ts';

type Creator = (typeof recommended)[number];
type Context = Parameters<Creator['create']>[0];
type Source = Parameters<NonNullable<ReturnType<Creator['create']>['file']>>[0];

/** What each match of a rule contains, separated by spaces. A rule that is not listed is tried on every text. */
const ANCHORS: Readonly<Record<string, string>> = {
  npm: 'npm_',
  slack: 'xox xapp- hooks.slack',
  basicauth: '://',
  openai: 'T3BlbkFJ',
  anthropic: 'sk-',
  groq: 'gsk_',
  huggingface: 'hf_',
  linear: 'lin_api_',
  notion: 'ntn_',
  sendgrid: 'SG.',
  shopify: 'shppa_ shpca_ shpat_ shpss_',
  stripe: 'sk_ rk_',
  github: 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_',
  gitlab: 'glpat-',
  grafana: 'glc_ glsa_',
  '1password': 'ops_',
  'hashicorp-vault': 'hvs. hvb. hvr.',
  vercel: 'vcp_ vci_ vca_ vcr_ vck_',
  databricks: 'dapi',
  docker: 'dckr_pat_',
  figma: 'figd_',
  cloudflare: 'cfk_ cfut_ cfat_',
  tailscale: 'tskey-',
};

const OMITTED: ReadonlySet<string> = new Set([
  // It would let a comment in the text switch off the search.
  'filter-comments',
  // It mistakes placeholders such as `<password>` for passwords. A pattern of our own does not.
  'database-connection-string',
  // They do not tell where the secret is. Patterns of our own find more of them.
  'aws',
  'privatekey',
  // It reads files.
  'gcp',
]);

const PREFIX = '@secretlint/secretlint-rule-';

export const LINT_RULES: readonly SecretRule[] = recommended
  .map((creator) => ({ kind: creator.meta.id.replace(PREFIX, ''), creator }))
  .filter(({ kind }) => !OMITTED.has(kind))
  .map(({ kind, creator }) => ruleFrom(kind, creator));

function ruleFrom(kind: string, creator: Creator): SecretRule {
  let found: RuleMatch[] = [];
  const context: Pick<Context, 'createTranslator' | 'report'> = {
    createTranslator: () => () => ({ message: '', messageId: '', data: undefined }),
    report: ({ range: [start, end] }) => found.push({ kind, start, end }),
  };
  const handler = creator.create(context as Context, {});
  const matchesIn = (content: string): readonly RuleMatch[] => {
    found = [];
    const source: Pick<Source, 'content' | 'filePath' | 'ext' | 'contentType'> = {
      content,
      filePath: 'text.txt',
      ext: '.txt',
      contentType: 'text',
    };
    // Only rules that read files are asynchronous.
    handler.file?.(source as Source);
    return found;
  };
  return {
    kind,
    anchors: ANCHORS[kind]?.split(' ') ?? [],
    isIn: (text) => matchesIn(text).length > 0,
    locate: (text) => locateMatches(text, matchesIn(text)),
  };
}
