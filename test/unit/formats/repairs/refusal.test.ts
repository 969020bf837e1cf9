import assert from 'node:assert/strict';
import { refusedMembers } from '../../../../src/formats/repairs/refusal.ts';
import { repairAll } from '../../../../src/formats/repairs/repair.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const FULL = { model: 'm', messages, temperature: 0.2, top_p: 0.9, top_k: 5, max_tokens: 50, user: 'u', stop: ['x'] };

function openAi(message: string, param?: string, code?: string): string {
  return JSON.stringify({
    error: { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null },
  });
}

describe('reading which members a server refuses', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['an error with a param', openAi('Nope.', 'temperature', 'unsupported_parameter'), ['temperature']],
    [
      'a parameter with a suggestion',
      openAi(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      ['max_tokens'],
    ],
    [
      'all values but the default',
      openAi(
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        'temperature',
        'unsupported_value',
      ),
      ['temperature'],
    ],
    ['a name in backquotes', openAi('`temperature` is deprecated for this model.'), ['temperature']],
    ['a name at the start', openAi('top_k: Extra inputs are not permitted'), ['top_k']],
    ['a listed argument', openAi('Unrecognized request argument supplied: top_k'), ['top_k']],
    ['listed arguments', openAi('Unrecognized request arguments supplied: top_k, user'), ['top_k', 'user']],
    ['two names', openAi("Unknown fields: 'top_k' and 'user' are not supported."), ['top_k', 'user']],
    ['names that exclude each other', openAi('`temperature` and `top_p` cannot both be specified.'), ['top_p']],
    [
      'raw JSON in a text',
      JSON.stringify({
        error: { message: 'Provider returned error', metadata: { raw: openAi("Unknown parameter: 'top_k'") } },
      }),
      ['top_k'],
    ],
    [
      'a path of FastAPI, whose input is not read',
      JSON.stringify({
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'top_k'],
            msg: 'Extra inputs are not permitted',
            input: "'temperature'",
          },
          { type: 'extra_forbidden', loc: ['body', 'user'], msg: 'Extra inputs are not permitted', input: 'u' },
        ],
      }),
      ['top_k', 'user'],
    ],
    ['a sentence at the top', JSON.stringify({ detail: "Unsupported parameter: 'top_p'" }), ['top_p']],
    ['a sentence without JSON', 'unknown field "top_k"', ['top_k']],
    ['a name in camel case', openAi('Argument not supported on this model: topK'), ['top_k']],
    ['a word without quotes', openAi('This model does not support temperature.'), ['temperature']],
    [
      'the only value that is allowed',
      openAi('invalid temperature: only 1 is allowed for this model'),
      ['temperature'],
    ],
    ['a member that may only have one value', openAi('`temperature` may only be set to 1 here.'), ['temperature']],
    ['a key in brackets', openAi('Malformed input request: #: extraneous key [top_k] is not permitted'), ['top_k']],
    [
      'a list of parameters',
      openAi("UnsupportedParamsError: x does not support parameters: ['temperature', 'top_k'], for model=m."),
      ['temperature', 'top_k'],
    ],
    ['a word of the language that is also a member', openAi('The user is not allowed to stop here.'), []],
    ['a value', openAi('temperature must be at most 2', 'temperature'), []],
    [
      'a value that is not supported',
      openAi("Invalid 'temperature': 3 is not supported. Expected a value <= 2", 'temperature'),
      [],
    ],
    ['a value beside a list', openAi("Unsupported value: 'x'. Supported values are: 'low', 'high'.", 'stop'), []],
    [
      'the largest output limit',
      openAi('max_tokens is too large: 50. This model supports at most 16.', 'max_tokens'),
      ['max_tokens.maximum=16'],
    ],
    ['another model', openAi('The model `temperature` does not exist'), []],
    ['a member that the request does not have', openAi("Unknown parameter: 'seed'", 'seed'), []],
    ['an essential member', openAi("Unknown parameter: 'messages'", 'messages'), []],
    [
      'a value in a path',
      JSON.stringify({
        detail: [
          { type: 'less_than_equal', loc: ['body', 'temperature'], msg: 'Input should be less than or equal to 2' },
        ],
      }),
      [],
    ],
  ];
  for (const [title, answer, expected] of cases) {
    it(`reads ${title}`, () => {
      assert.deepEqual(refusedMembers(answer, FULL), expected);
    });
  }

  it('reads members of messages', () => {
    const body = { messages: [{ role: 'assistant', content: '', reasoning_content: 'r' }] };
    const groq =
      "'messages.0' : for 'role:assistant' the following must be satisfied[('messages.0' : property 'reasoning_content' is unsupported, did you mean 'role'?)]";
    const loc = ['body', 'messages', 0, 'assistant', 'reasoning_content'];
    const mistral = JSON.stringify({
      detail: [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' }],
    });
    for (const answer of [openAi(groq), mistral]) {
      assert.deepEqual(refusedMembers(answer, body), ['reasoning_content']);
    }
    assert.deepEqual(repairAll(body, ['reasoning_content']).body, { messages: [{ role: 'assistant', content: '' }] });
  });

  it('reads a path below a member', () => {
    const body = { thinking: { type: 'enabled', budget_tokens: 2000 }, tool_choice: { type: 'any' } };
    const answer = openAi(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" instead.',
    );
    assert.deepEqual(refusedMembers(answer, body), ['thinking.type.enabled']);
    assert.deepEqual(repairAll(body, ['thinking.type.enabled', 'tool_choice']).body, {
      thinking: { type: 'adaptive' },
      tool_choice: { type: 'auto' },
    });
  });

  it('removes thinking that is refused in any form, and leaves other forms if one is refused', () => {
    const answer = openAi('`thinking` is not supported for this model.');
    const enabled = { thinking: { type: 'enabled', budget_tokens: 2000 } };
    const [first = ''] = refusedMembers(answer, enabled);
    const { body: adaptive } = repairAll(enabled, [first]);
    assert.deepEqual(refusedMembers(answer, adaptive), ['thinking']);
    assert.deepEqual(repairAll(enabled, [first, 'thinking']).body, {});
    assert.deepEqual(repairAll(adaptive, [first]).body, adaptive);
  });

  it('raises an output limit that is below the minimum', () => {
    const answer = openAi(
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 8 instead.",
      'max_output_tokens',
      'integer_below_min_value',
    );
    assert.deepEqual(refusedMembers(answer, { max_output_tokens: 8 }), ['max_output_tokens.minimum']);
    assert.deepEqual(refusedMembers(answer, { max_output_tokens: 800 }), []);
    for (const [limit, sent] of [
      [8, 16],
      [800, 800],
    ] as const) {
      const { body } = repairAll({ max_output_tokens: limit }, ['max_output_tokens.minimum']);
      assert.deepEqual(body, { max_output_tokens: sent });
    }
  });

  it('repairs the order and the ids that some services demand', () => {
    const body = {
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'r' },
        { role: 'user', content: 'Go on' },
      ],
    };
    const order = JSON.stringify({
      message: "Unexpected role 'user' after role 'tool'",
      type: 'invalid_request_message_order',
    });
    const ids = JSON.stringify({ message: 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.' });
    assert.deepEqual(refusedMembers(order, { ...body, user: 'u' }), ['messages:user-after-tool']);
    assert.deepEqual(refusedMembers(ids, body), ['tool_call_id']);
    const { body: repaired, lost } = repairAll(body, ['messages:user-after-tool', 'tool_call_id']);
    const [call, result, between, last] = repaired.messages as Record<string, unknown>[];
    assert.deepEqual([lost, between?.role, last?.role], [[], 'assistant', 'user']);
    const id = result?.tool_call_id;
    assert.match(String(id), /^[a-z0-9]{9}$/);
    assert.deepEqual(call?.tool_calls, [{ id }]);
  });

  it('uses the other name of an output limit, and removes it if both are refused', () => {
    const body = { max_tokens: 9 };
    assert.deepEqual(repairAll(body, ['max_tokens']), { body: { max_completion_tokens: 9 }, lost: [] });
    assert.deepEqual(repairAll(body, ['max_tokens', 'max_completion_tokens']), { body: {}, lost: ['max_tokens'] });
  });
});
