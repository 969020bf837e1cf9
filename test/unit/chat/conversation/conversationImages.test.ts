import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachImage } from '../../../../src/chat/context/image.ts';
import { ConversationImages } from '../../../../src/chat/conversation/conversationImages.ts';
import { ConversationStore } from '../../../../src/chat/conversation/conversationStore.ts';
import { imagesOf } from '../../../../src/chat/conversation/entry.ts';
import type { Attachment } from '../../../../src/chat/conversation/record.ts';

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the images of a conversation', () => {
  let folder: string;
  let store: ConversationStore;
  let images: ConversationImages;
  let attachment: Attachment;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'images-'));
    store = new ConversationStore(folder);
    images = new ConversationImages(store);
    attachment = attachImage({ name: 'shot.png', bytes: PNG }, images);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const entry = () => ({ role: 'user', id: 'q', text: '', attachments: [attachment] }) as const;

  it('are not in the records, but in a separate file once they are kept', async () => {
    assert.ok(!JSON.stringify(attachment).includes(PNG.toString('base64').slice(0, 40)));
    await images.keep('c1', imagesOf([entry()]));
    await images.keep('c1', imagesOf([entry()]));
    const [file, ...others] = await readdir(join(folder, 'c1.images'));
    assert.deepEqual(others, []);
    assert.deepEqual(await readFile(join(folder, 'c1.images', file ?? '')), PNG);
  });

  it('are restored from their files', async () => {
    await images.keep('c1', imagesOf([entry()]));
    const later = new ConversationImages(store);
    assert.equal(later.lookup(attachment.image?.file ?? ''), undefined);
    await later.load('c1', [entry()]);
    assert.equal(later.lookup(attachment.image?.file ?? ''), PNG.toString('base64'));
  });

  it('of a tool’s result are kept and loaded like those of a question', async () => {
    const image = images.hold(PNG.toString('base64'), 'image/png');
    const call = { id: 'c', name: 'screenshot', arguments: '{}', result: '[Image 1: image/png]', images: [image] };
    const step = {
      role: 'assistant',
      id: 'a',
      text: '',
      reasoning: '',
      status: 'complete',
      toolCalls: [call],
    } as const;
    const entries = [{ ...step, model: 'm', format: 'messages', sandbox: false, run: 'q' } as const];
    await images.keep('c1', imagesOf(entries));
    const later = new ConversationImages(store);
    await later.load('c1', entries);
    assert.equal(later.lookup(image.file), PNG.toString('base64'));
  });

  it('are missing if their files are gone', async () => {
    const later = new ConversationImages(store);
    await later.load('c1', [entry()]);
    assert.equal(later.lookup(attachment.image?.file ?? ''), undefined);
  });

  it('are deleted, restored and purged with the conversation', async () => {
    await store.append('c1', [{ type: 'conversation', version: 1, id: 'c1', at: 1, title: 'Shot' }]);
    await images.keep('c1', imagesOf([entry()]));
    await store.delete('c1');
    assert.deepEqual(await readdir(folder), ['deleted']);
    await store.restore('c1');
    assert.deepEqual((await readdir(folder)).sort(), ['c1.images', 'c1.jsonl', 'deleted']);
    await store.delete('c1');
    await store.purge('c1');
    assert.deepEqual(await readdir(join(folder, 'deleted')), []);
  });

  it('reject a name that points outside the folder', async () => {
    const other = {
      ...entry(),
      attachments: [{ ...attachment, image: { file: '../c2.jsonl', mediaType: 'image/png' } }],
    };
    await assert.rejects(images.load('c1', [other]), /Not the name of an image/);
  });

  it('are recognized by their first bytes, and anything else is rejected', () => {
    assert.throws(
      () => attachImage({ name: 'shot.png', bytes: Buffer.from('<svg/>') }, images),
      /not in an image format that models accept/,
    );
    assert.match(attachImage({ name: 'no ending', bytes: PNG }, images).image?.file ?? '', /\.png$/);
    assert.equal(attachment.note, '1 by 1 pixels');
  });

  it('are rejected if they are too large', () => {
    const bytes = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
    assert.throws(() => attachImage({ name: 'huge.png', bytes }, images), /too large to attach \(6 MB, at most 5 MB\)/);
  });
});
