import * as l10n from '@vscode/l10n';
import type { HeaderList, ShownBody, ShownEvent } from '../../../pages/traffic/protocol.ts';
import { Button } from '../../shared/button.tsx';
import { type OpenExchange, useStore } from '../store.ts';
import { byteText } from '../words.ts';
import { CodeText, JsonText } from './jsonTree.tsx';

type MessageSides = readonly ['request', 'upstreamRequest'] | readonly ['answer', 'upstreamAnswer'];

/** Headers and body of the request or the answer. If it was translated, both sides are next to each other. */
export function MessageTab({ open, sides }: { readonly open: OpenExchange; readonly sides: MessageSides }) {
  const [caller, upstream] = sides;
  const { details, bodies } = open;
  if (details === undefined) return null;
  if (details === null) return <p class="quiet">{l10n.t('No details of this request are available.')}</p>;
  const headers = caller === 'request' ? details.requestHeaders : details.answerHeaders;
  const isTranslated = bodies[upstream] !== undefined;
  const captured = details.bodies.some(({ part }) => part === caller || part === upstream);
  return (
    <>
      {headers !== undefined && <Headers headers={headers} isRequest={caller === 'request'} isOpen={!captured} />}
      {captured ? (
        <div class={isTranslated ? 'sides' : ''}>
          <Side body={bodies[caller]} title={isTranslated ? l10n.t('Client') : l10n.t('Body')} />
          {isTranslated && <Side body={bodies[upstream]} title={l10n.t('Upstream')} />}
        </div>
      ) : (
        <NotCaptured />
      )}
    </>
  );
}

interface HeadersProps {
  readonly headers: HeaderList;
  readonly isRequest: boolean;
  readonly isOpen: boolean;
}

function Headers({ headers, isRequest, isOpen }: HeadersProps) {
  return (
    <details class="headers" open={isOpen}>
      <summary>{`${l10n.t('Headers')} · ${headers.length}`}</summary>
      <dl>
        {headers.map(([name, value]) => (
          <div key={`${name}: ${value}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isRequest && <p class="quiet">{l10n.t('Headers that contain keys or cookies are never recorded.')}</p>}
    </details>
  );
}

function Side({ body, title }: { readonly body: ShownBody | undefined; readonly title: string }) {
  if (body === undefined) return null;
  const heading = body.format === undefined ? title : `${title} · ${body.format}`;
  return (
    <section class="side">
      <h3>
        {heading}
        <span class="aside number">{byteText(body.bytes)}</span>
      </h3>
      <BodyText body={body} label={heading} />
      {body.keptBytes < body.bytes && (
        <p class="quiet">{l10n.t('Only the first {0} were kept.', byteText(body.keptBytes))}</p>
      )}
    </section>
  );
}

function BodyText({ body, label }: { readonly body: ShownBody; readonly label: string }) {
  if (!body.isReadable) return <p class="quiet">{l10n.t('The body could not be decompressed.')}</p>;
  if (body.events !== undefined) return <CodeText text={body.events.map(wireText).join('\n\n')} label={label} />;
  return <JsonText text={body.text ?? ''} label={label} />;
}

function wireText({ name, data }: ShownEvent): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${data}`;
}

export function NotCaptured() {
  const store = useStore();
  const viewContext = store.viewContext.value;
  if (viewContext?.isTrusted === false) {
    return <p class="quiet">{l10n.t('Bodies are not captured in an untrusted folder.')}</p>;
  }
  if (viewContext?.capturesBodies === true) {
    return <p class="quiet">{l10n.t('This body was not captured or is no longer kept.')}</p>;
  }
  return (
    <div class="not-captured">
      <p class="quiet">
        {l10n.t(
          'Bodies are not captured. When capturing is on, they are kept in memory for one hour and never written to disk.',
        )}
      </p>
      <Button label={l10n.t('Capture bodies')} onClick={() => store.post({ type: 'setCapture', isOn: true })} />
    </div>
  );
}
