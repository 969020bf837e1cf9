/** The images, documents, and audio that a request can contain, natively in each format. */
import type { ChatRequest } from '../../../../../src/formats/conversation.ts';
import { found, partsOf, type RequestFeature, textsOf, type Wire } from './feature.ts';

export const PNG = 'iVBORw0KGgo=';
export const PDF = 'JVBERi0xLjQ=';
const ADDRESS = 'https://example.com/picture.png';

export const user = (...parts: Wire[]): Wire => ({ role: 'user', content: parts });

/** Returns a user message with one part, in each format. */
const inMessage = (parts: { chat?: Wire; messages?: Wire; responses?: Wire }) => ({
  ...(parts.chat && { 'chat-completions': { messages: [user(parts.chat)] } }),
  ...(parts.messages && { messages: { messages: [user(parts.messages)] } }),
  ...(parts.responses && { responses: { input: [user(parts.responses)] } }),
});

export const media = (type: 'image' | 'document') => (request: ChatRequest) =>
  found(partsOf(request).flatMap((part) => (part.type === type ? [part.source] : [])));
export const image = (source: Wire) => ({ type: 'image', source });

export const MEDIA_FEATURES: readonly RequestFeature[] = [
  {
    name: 'image as base64',
    said: inMessage({
      chat: { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      messages: image({ type: 'base64', media_type: 'image/png', data: PNG }),
      responses: { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
    }),
    see: media('image'),
  },
  {
    name: 'image by URL',
    said: inMessage({
      chat: { type: 'image_url', image_url: { url: ADDRESS } },
      messages: image({ type: 'url', url: ADDRESS }),
      responses: { type: 'input_image', image_url: ADDRESS, detail: 'auto' },
    }),
    see: media('image'),
  },
  {
    name: 'image by file id',
    said: inMessage({
      messages: image({ type: 'file', file_id: 'file_1' }),
      responses: { type: 'input_image', file_id: 'file_1', detail: 'auto' },
    }),
    see: (request) => media('image')(request) ?? media('document')(request),
  },
  {
    name: 'image detail',
    said: inMessage({
      chat: { type: 'image_url', image_url: { url: ADDRESS, detail: 'high' } },
      responses: { type: 'input_image', image_url: ADDRESS, detail: 'high' },
    }),
    see: (request) =>
      found(partsOf(request).flatMap((part) => (part.type === 'image' && part.detail ? [part.detail] : []))),
  },
  {
    name: 'document as base64',
    said: inMessage({
      chat: { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
      messages: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
      responses: { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
    }),
    see: media('document'),
  },
  {
    name: 'document by URL',
    said: inMessage({
      messages: { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
      responses: { type: 'input_file', file_url: 'https://example.com/a.pdf' },
    }),
    see: media('document'),
  },
  {
    name: 'plain-text document',
    said: inMessage({
      messages: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Words.' } },
    }),
    see: (request) => media('document')(request) ?? textsOf(request, 'user'),
  },
  {
    name: 'document citations, requested',
    said: inMessage({
      messages: {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'Words.' },
        citations: { enabled: true },
      },
    }),
    see: (_, body) => found(JSON.stringify(body).match(/"citations"/) ?? []),
  },
  {
    name: 'audio',
    said: inMessage({ chat: { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } } }),
    see: (_, body) => found(JSON.stringify(body).match(/"input_audio"/) ?? []),
  },
];
