import * as fc from 'fast-check';
import type {
  AssistantPart,
  CacheHint,
  DocumentPart,
  ImagePart,
  MediaSource,
  ReasoningPart,
  ToolCallPart,
  UserPart,
} from '../../../src/formats/conversation.ts';
import type { Carried, ReasoningKind } from './carried.ts';
import { address, base64, identifier, jsonObject, some, text, word } from './values.ts';

export function cacheHint(carried: Carried): fc.Arbitrary<CacheHint> | false {
  return carried.cacheHints && fc.constantFrom<CacheHint>({}, { ttl: '5m' }, { ttl: '1h' });
}

export function textPart(carried: Carried) {
  return some({ type: fc.constant('text' as const), text }, { cacheHint: cacheHint(carried) });
}

const mediaTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

function mediaSource(kind: MediaSource['kind'], types: readonly string[]): fc.Arbitrary<MediaSource> {
  if (kind === 'base64') {
    return fc.record({ kind: fc.constant(kind), mediaType: fc.constantFrom(...types), data: base64 });
  }
  if (kind === 'url') return fc.record({ kind: fc.constant(kind), url: address });
  return fc.record({ kind: fc.constant(kind), id: identifier.map((id) => `file_${id}`) });
}

export function imagePart(carried: Carried): fc.Arbitrary<ImagePart> {
  return some(
    {
      type: fc.constant('image' as const),
      source: fc.oneof(...carried.images.map((kind) => mediaSource(kind, mediaTypes))),
    },
    { detail: carried.imageDetail && fc.constantFrom('auto', 'low', 'high'), cacheHint: cacheHint(carried) },
  );
}

export function documentPart(carried: Carried): fc.Arbitrary<DocumentPart> {
  const sources = carried.documents.map((kind) =>
    kind === 'text' ? fc.record({ kind: fc.constant(kind), text }) : mediaSource(kind, ['application/pdf']),
  );
  return some(
    { type: fc.constant('document' as const), source: fc.oneof<fc.Arbitrary<DocumentPart['source']>[]>(...sources) },
    { name: carried.documentNames && word.map((name) => `${name}.pdf`), cacheHint: cacheHint(carried) },
  );
}

export function userPart(carried: Carried): fc.Arbitrary<UserPart> {
  return fc.oneof(
    { weight: 3, arbitrary: textPart(carried) },
    ...(carried.images.length > 0 ? [imagePart(carried)] : []),
    ...(carried.documents.length > 0 ? [documentPart(carried)] : []),
  );
}

function reasoningPart(carried: Carried, kind: ReasoningKind): fc.Arbitrary<ReasoningPart> {
  const itemId = carried.itemIds && identifier.map((id) => `rs_${id}`);
  const type = fc.constant('reasoning' as const);
  switch (kind) {
    case 'text':
      return some({ type, text }, { itemId });
    case 'signed':
      return some({ type, text: fc.oneof(text, fc.constant('')), signature: base64 }, { itemId });
    case 'encrypted':
      return some({ type, text: fc.constant(''), encrypted: base64 }, { itemId });
    case 'both':
      return some({ type, text, encrypted: base64 }, { itemId });
  }
}

/** Call IDs are only distinct after {@link renumber}. */
function toolCall(carried: Carried): fc.Arbitrary<ToolCallPart> {
  const type = fc.constant('toolCall' as const);
  const namespace = carried.namespaces && word;
  const call = some(
    { type, id: identifier, name: word, arguments: jsonObject.map((value) => JSON.stringify(value)) },
    { namespace, itemId: carried.itemIds && identifier.map((id) => `fc_${id}`) },
  );
  if (!carried.freeFormTools) return call;
  const freeForm = some(
    { type, id: identifier, name: word, arguments: text, freeForm: fc.constant(true as const) },
    { namespace, itemId: carried.itemIds && identifier.map((id) => `ctc_${id}`) },
  );
  return fc.oneof(call, freeForm);
}

/** The parts of one answer. */
export function assistantParts(carried: Carried): fc.Arbitrary<AssistantPart[]> {
  const plainText = fc.record({ type: fc.constant('text' as const), text });
  const refusal = carried.refusals ? [fc.record({ type: fc.constant('refusal' as const), text })] : [];
  const reasoning = carried.reasoning.map((kind) => reasoningPart(carried, kind));
  if (carried.anyPartOrder) {
    return fc
      .array(fc.oneof(plainText, toolCall(carried), ...refusal, ...reasoning), { minLength: 1, maxLength: 5 })
      .map(renumber);
  }
  const atMostOne = (...choices: fc.Arbitrary<AssistantPart>[]) =>
    choices.length === 0 ? fc.constant<AssistantPart[]>([]) : fc.array(fc.oneof(...choices), { maxLength: 1 });
  return fc
    .tuple(
      atMostOne(...reasoning),
      atMostOne(plainText),
      atMostOne(...refusal),
      fc.array(toolCall(carried), { maxLength: 3 }),
    )
    .map((groups) => renumber(groups.flat()))
    .filter((parts) => parts.some((part) => part.type !== 'reasoning'));
}

/** Appends the position to each ID, so that no two are the same. */
function renumber(parts: AssistantPart[]): AssistantPart[] {
  return parts.map((part, place) => {
    if (part.type === 'toolCall') {
      const itemId = part.itemId === undefined ? {} : { itemId: `${part.itemId}${place}` };
      return { ...part, id: `call_${part.id}${place}`, ...itemId };
    }
    if (part.type === 'reasoning' && part.itemId !== undefined) return { ...part, itemId: `${part.itemId}${place}` };
    return part;
  });
}
