import assert from 'node:assert/strict';
import { agentProblems } from '../../../../src/agent/customizations/agentChecks.ts';
import { readAgentFile } from '../../../../src/agent/customizations/agentFile.ts';
import { modelNamed } from '../../../../src/agent/customizations/modelNames.ts';
import { toolsNamed } from '../../../../src/agent/customizations/toolNames.ts';

const PLANNER = `---
name: Planner
description: Plan a feature
argument-hint: [feature] [deadline]
tools: ['read', 'search/codebase', "github/*"]
model: ['Model A (copilot)', small]
handoffs:
  - label: Implement Plan
    agent: agent
    prompt: Implement the plan.
    send: true
---
Make a plan. Change nothing.
`;

const KNOWN = { tools: [], models: [], hasAgent: (name: string) => name.toLowerCase() === 'planner' };
const OWN = ['read_file', 'search_text', 'find_files', 'list_files', 'edit_file', 'create_file', 'run_command'];

describe('a file that defines an agent', () => {
  it('has a name, instructions, tools, models, and handoffs', () => {
    const { lineOf: _, ...agent } = readAgentFile(PLANNER, '.github/agents/plan.agent.md');
    assert.deepEqual(agent, {
      name: 'Planner',
      description: 'Plan a feature',
      instructions: 'Make a plan. Change nothing.',
      tools: ['read', 'search/codebase', 'github/*'],
      disallowedTools: [],
      models: ['Model A (copilot)', 'small'],
      handoffs: [{ label: 'Implement Plan', agent: 'agent', prompt: 'Implement the plan.', send: true }],
      isForPerson: true,
      isForAgents: true,
      problems: [],
    });
  });

  it('is named like the file if it has no name, and may consist of text only', () => {
    const agent = readAgentFile('Review the changes.', '.claude/agents/reviewer.md');
    assert.equal(agent.name, 'reviewer');
    assert.equal(agent.instructions, 'Review the changes.');
    assert.equal(agent.tools, undefined);
  });

  it('has the tools that opencode writes as an object, or all but those that it switches off', () => {
    const read = (tools: string) => readAgentFile(`---\nname: r\ndescription: d\ntools:\n${tools}---\nx`, 'r.md');
    assert.deepEqual(read('  read: true\n  bash: false\n').tools, ['read']);
    const { tools, disallowedTools } = read('  write: false\n  bash: false\n');
    assert.deepEqual([tools, disallowedTools], [undefined, ['write', 'bash']]);
  });

  it('has the tools that Claude Code writes with commas, and the model of the chat for “inherit”', () => {
    const text = '---\nname: r\ndescription: d\ntools: Read, Grep, Bash(git log:*, git diff:*)\nmodel: inherit\n---\nx';
    const { tools, models } = readAgentFile(text, 'r.md');
    assert.deepEqual(tools, ['Read', 'Grep', 'Bash(git log:*, git diff:*)']);
    assert.deepEqual(models, []);
  });

  it('can be hidden from the person and from other agents', () => {
    const visible = (front: string) => {
      const { isForPerson, isForAgents } = readAgentFile(`---\ndescription: d\n${front}\n---\nx`, 'a.agent.md');
      return [isForPerson, isForAgents];
    };
    assert.deepEqual(visible('user-invocable: false'), [false, true]);
    assert.deepEqual(visible('disable-model-invocation: true'), [true, false]);
    assert.deepEqual(visible('infer: false'), [false, false]);
  });

  it('has a problem at the line that cannot be read, and keeps its text', () => {
    const agent = readAgentFile('---\nname: a\ntools: [read\n---\nText', 'a.agent.md');
    assert.equal(agent.instructions, 'Text');
    assert.deepEqual(
      agent.problems.map(({ line, severity }) => [line, severity]),
      [[3, 'error']],
    );
    const [handoff] = readAgentFile('---\nname: a\nhandoffs:\n  - label: x\n---\nText', 'a.agent.md').problems;
    assert.deepEqual([handoff?.line, handoff?.severity], [3, 'warning']);
  });
});

describe('what the file of an agent names and is not here', () => {
  it('is a warning at its line', () => {
    const text = '---\ndescription: d\ntools: [read, vscodeAPI, github/*]\nmodel: nothing\n---\nText';
    const found = agentProblems(readAgentFile(text, 'a.agent.md'), { ...KNOWN, models: ['familya-haiku-4.5'] });
    assert.deepEqual(
      found.map(({ line, severity, message }) => [line, severity, /“(.*?)”/.exec(message)?.[1]]),
      [
        [3, 'warning', 'vscodeAPI'],
        [3, 'warning', 'github/*'],
        [4, 'warning', 'nothing'],
      ],
    );
  });

  it('is nothing while the catalog is not known', () => {
    assert.deepEqual(agentProblems(readAgentFile('---\nmodel: nothing\n---\nText', 'a.agent.md'), KNOWN), []);
  });

  it('can be an agent, to hand over to or to give tasks to', () => {
    const front =
      'agents: [Planner, Ghost]\nhandoffs:\n  - label: Go\n    agent: nobody\n  - label: Plan\n    agent: planner';
    const found = agentProblems(readAgentFile(`---\n${front}\n---\nText`, 'a.agent.md'), KNOWN);
    assert.deepEqual(
      found.map(({ line, severity, message }) => [line, severity, /“(.*?)”/.exec(message)?.[1]]),
      [
        [3, 'warning', 'nobody'],
        [2, 'warning', 'Ghost'],
      ],
    );
    const all = readAgentFile("---\nagents: ['*']\n---\nText", 'a.agent.md');
    assert.deepEqual([all.agents, agentProblems(all, KNOWN)], [undefined, []]);
  });
});

describe('the tools that a file names', () => {
  it('are found by the names of the editor, of Claude Code, and of this extension', () => {
    const tools = (...names: string[]) => [...toolsNamed(names, OWN).tools].sort();
    assert.deepEqual(tools('read'), ['read_file']);
    assert.deepEqual(tools('search/textSearch', 'Read'), ['read_file', 'search_text']);
    assert.deepEqual(tools('Glob'), ['find_files', 'list_files']);
    assert.deepEqual(tools('#tool:edit/editFiles'), ['create_file', 'edit_file']);
    assert.deepEqual(tools('Bash(git:*)', 'run_command'), ['run_command']);
    assert.deepEqual(tools('findTestFiles', 'execute/runTask'), ['find_files', 'run_command']);
    assert.deepEqual(tools('*'), [...OWN].sort());
  });

  it('of MCP servers are found with both ways to name them', () => {
    const available = [...OWN, 'mcp_github_search_issues', 'mcp_github_get_me', 'mcp_playwright_browser_click'];
    const tools = (...names: string[]) => [...toolsNamed(names, available).tools].sort();
    assert.deepEqual(tools('github/*'), ['mcp_github_get_me', 'mcp_github_search_issues']);
    assert.deepEqual(tools('mcp__github__get_me'), ['mcp_github_get_me']);
    assert.deepEqual(tools('microsoft/playwright/browser_click'), []);
    assert.deepEqual(tools('playwright/browser_click'), ['mcp_playwright_browser_click']);
  });

  it('are unknown if this editor has none like them, whatever they are called', () => {
    assert.deepEqual(toolsNamed(['read', 'vscodeAPI', 'constructor', 'github/search'], OWN).unknown, [
      'vscodeAPI',
      'constructor',
      'github/search',
    ]);
  });
});

describe('the model that a file names', () => {
  const models = ['familya-sonnet-4.6', 'familya-sonnet-4.10', 'familya-haiku-4.5', 'familyb-5-mini'];

  it('is an ID, or the newest with all words of the name', () => {
    assert.equal(modelNamed('familya-haiku-4.5', models), 'familya-haiku-4.5');
    assert.equal(modelNamed('sonnet', models), 'familya-sonnet-4.10');
    assert.equal(modelNamed('FamilyA Sonnet 4.6 (copilot)', models), 'familya-sonnet-4.6');
  });

  it('is unknown otherwise', () => {
    assert.equal(modelNamed('opus', models), undefined);
    assert.equal(modelNamed('Sonnet 4', models), undefined);
    assert.equal(modelNamed('(copilot)', models), undefined);
  });
});
