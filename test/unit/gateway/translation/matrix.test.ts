import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { closeAll } from '../support/gateway.ts';
import { ANSWER_FEATURES } from './matrix/answerFeatures.ts';
import { CONVERSATION_FEATURES } from './matrix/conversationFeatures.ts';
import { Laboratory, type Verdict } from './matrix/laboratory.ts';
import { type Chapter, withMatrix } from './matrix/page.ts';
import { SETTING_FEATURES } from './matrix/settingFeatures.ts';
import { TOOL_FEATURES } from './matrix/toolFeatures.ts';

const PAGE = new URL('../../../../docs/formats.md', import.meta.url);

/** Tests a feature with every pair of formats. */
async function observe<Feature extends { readonly name: string }>(
  title: string,
  features: readonly Feature[],
  judge: (feature: Feature, caller: FormatName, upstream: FormatName) => Promise<Verdict>,
): Promise<Chapter> {
  const rows = [];
  for (const feature of features) {
    const verdicts = new Map<string, Verdict>();
    for (const caller of FORMAT_NAMES) {
      for (const upstream of FORMAT_NAMES) {
        verdicts.set(`${caller} ${upstream}`, await judge(feature, caller, upstream));
      }
    }
    const verdict = (caller: FormatName, upstream: FormatName) => verdicts.get(`${caller} ${upstream}`) ?? '—';
    rows.push({ name: feature.name, verdict });
  }
  return { title, rows };
}

describe('the matrix of translated features', () => {
  let chapters: readonly Chapter[];

  before(async () => {
    const laboratory = await Laboratory.open(FORMAT_NAMES);
    const request = laboratory.request.bind(laboratory);
    chapters = [
      await observe('Conversation', CONVERSATION_FEATURES, request),
      await observe('Tools', TOOL_FEATURES, request),
      await observe('Parameters', SETTING_FEATURES, request),
      await observe('Answer', ANSWER_FEATURES, laboratory.answer.bind(laboratory)),
    ];
  });
  after(closeAll);

  it('is complete if both sides use the same format', () => {
    for (const { rows } of chapters) {
      for (const format of FORMAT_NAMES) {
        for (const { name, verdict } of rows) {
          assert.ok(['preserved', '—'].includes(verdict(format, format)), `${name} in ${format}`);
        }
      }
    }
  });

  it('matches docs/formats.md', async () => {
    const page = await readFile(PAGE, 'utf8');
    const observed = withMatrix(page, chapters);
    if (process.env.UPDATE_PAGES === '1') await writeFile(PAGE, observed);
    else assert.equal(page, observed, 'docs/formats.md is out of date. Run this test with UPDATE_PAGES=1.');
  });
});
