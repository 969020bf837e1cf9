import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../shared/icon.tsx';
import { IconButton } from '../shared/iconButton.tsx';
import { reveal } from '../shared/reveal.ts';
import { useStore } from './store.ts';

const MASKED = 'key_••••••••';
const KINDS = ['Shell', 'Node', 'Python', '.env'] as const;
type SnippetKind = (typeof KINDS)[number];

/** How to use the key, with its secret once there is one. */
export function Snippet() {
  const store = useStore();
  const [kind, setKind] = useState<SnippetKind>('Shell');
  const { address = '', models = [] } = store.state.value ?? {};
  const model = store.form.value.models?.[0] ?? models[0]?.id ?? 'MODEL';
  const secret = store.key.value?.secret;
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (secret !== undefined) reveal(section.current, 'center');
  }, [secret]);
  const text = snippetOf(kind, { address, model, secret: secret ?? MASKED });
  return (
    <section ref={section} class="snippet" aria-label={l10n.t('How to use the key')}>
      <div class="snippet-head">
        <div class="tabs" role="tablist" aria-label={l10n.t('Language')}>
          {KINDS.map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              class="tab"
              aria-selected={each === kind}
              onClick={() => setKind(each)}
            >
              {each}
            </button>
          ))}
        </div>
        {secret !== undefined && (
          <IconButton icon="copy" label={l10n.t('Copy code')} onClick={() => store.post({ type: 'copy', text })} />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <p class="secret-note">
        <Icon name="lock" size={14} />
        {secret === undefined
          ? l10n.t('The secret appears here once you create the key. It is kept in secret storage.')
          : l10n.t('The secret is shown until this page is closed. Later, use “Copy Local Key”.')}
      </p>
    </section>
  );
}

interface KeyAccess {
  readonly address: string;
  readonly model: string;
  readonly secret: string;
}

function snippetOf(kind: SnippetKind, { address, model, secret }: KeyAccess): string {
  switch (kind) {
    case 'Shell':
      return [
        `export MODEL_ACCESS_KEY="${secret}"`,
        `curl ${address}/messages \\`,
        '  -H "authorization: Bearer $MODEL_ACCESS_KEY" \\',
        '  -H "content-type: application/json" \\',
        `  -d '{"model":"${model}","max_tokens":256,"messages":[{"role":"user","content":"Hello"}]}'`,
      ].join('\n');
    case 'Node':
      return [
        "import OpenAI from 'openai';",
        '',
        `const client = new OpenAI({ baseURL: '${address}', apiKey: '${secret}' });`,
        `const answer = await client.responses.create({ model: '${model}', input: 'Hello' });`,
        'console.log(answer.output_text);',
      ].join('\n');
    case 'Python':
      return [
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url="${address}", api_key="${secret}")`,
        `answer = client.responses.create(model="${model}", input="Hello")`,
        'print(answer.output_text)',
      ].join('\n');
    case '.env':
      return `OPENAI_BASE_URL=${address}\nOPENAI_API_KEY=${secret}`;
  }
}
