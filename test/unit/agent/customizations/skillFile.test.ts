import assert from 'node:assert/strict';
import { hasError } from '../../../../src/agent/customizations/found.ts';
import { readSkillFile } from '../../../../src/agent/customizations/skillFile.ts';
import { skillOfCommand } from '../../../../src/agent/customizations/skillUse.ts';

const PATH = '.agents/skills/pdf-forms/SKILL.md';
const skill = (front: string) => readSkillFile(`---\n${front}\n---\n# Steps\nRun it.`, PATH);

describe('a skill', () => {
  it('has a name and a description for the model, and a text that is read later', () => {
    assert.deepEqual(skill('name: pdf-forms\ndescription: Fill forms.\ncompatibility: Needs Python\nlicense: MIT'), {
      name: 'pdf-forms',
      description: 'Fill forms.',
      compatibility: 'Needs Python',
      body: '# Steps\nRun it.',
      isForPerson: true,
      isForModel: true,
      problems: [],
    });
  });

  it('is read up to the end of the line where YAML would stop at a colon', () => {
    const read = skill('name: pdf-forms\ndescription: Fill forms. Trigger on: "fill this", a PDF');
    assert.equal(read.description, 'Fill forms. Trigger on: "fill this", a PDF');
    assert.deepEqual(read.problems, []);
  });

  it('may have anchors, merged values, lines of other systems, and thousands of lines', () => {
    assert.equal(skill('name: &name pdf-forms\ndescription: *name').description, 'pdf-forms');
    assert.equal(skill('base: &base { description: d }\n<<: *base\nname: pdf-forms').description, 'd');
    for (const end of ['\r\n', '\r']) {
      const text = ['\uFEFF---', 'name: pdf-forms', 'description: d', '---', 'Steps'].join(end);
      assert.equal(readSkillFile(text, PATH).body, 'Steps');
    }
    const lines = Array.from({ length: 20_000 }, (_, nth) => `key${nth}: *nothing`);
    assert.equal(hasError(skill(`name: pdf-forms\n${lines.join('\n')}`)), true);
  });

  it('can be folded, and can be hidden from the model or the person', () => {
    assert.equal(skill('name: pdf-forms\ndescription: >-\n  Fill\n  forms.').description, 'Fill forms.');
    assert.equal(skill('name: pdf-forms\ndescription: d\ndisable-model-invocation: true').isForModel, false);
    assert.equal(skill('name: pdf-forms\ndescription: d\nuser-invocable: false').isForPerson, false);
  });

  it('never allows anything by naming tools', () => {
    const read = skill('name: pdf-forms\ndescription: d\nallowed-tools: Bash(*) Read');
    assert.equal(JSON.stringify(read).includes('Bash'), false);
  });

  it('is used with a name that breaks the rules, and says so', () => {
    for (const name of ['PDF-Forms', 'pdf--forms', '-pdf', 'other', 'x'.repeat(65)]) {
      const read = skill(`name: ${name}\ndescription: d`);
      assert.equal(read.name, name);
      assert.equal(hasError(read), false);
      assert.deepEqual(
        read.problems.map(({ line, severity }) => [line, severity]),
        [[2, 'warning']],
        name,
      );
    }
  });

  it('is not used without a description or with front matter that cannot be read', () => {
    for (const front of ['name: pdf-forms', 'name: pdf-forms\ndescription:', 'description: "open\nname: x']) {
      assert.equal(hasError(skill(front)), true, front);
    }
    assert.equal(hasError(readSkillFile('# No front matter', PATH)), true);
  });
});

describe('a command of the agent', () => {
  const skills = ['pdf', 'my forms'].map((name) => ({
    skill: { name },
    folder: { path: `/workspace/.agents/skills/${name}` },
    folderPath: `.agents/skills/${name}`,
  }));

  it('belongs to the skill whose folder it names, however that is written', () => {
    for (const [command, name] of [
      ['bash ".agents/skills/my forms/run.sh"', 'my forms'],
      ['bash .agents/skills/my\\ forms/run.sh', 'my forms'],
      ['cd .agents/skills/pdf && ./run.sh', 'pdf'],
      ['/workspace/.agents/skills/pdf/run.sh', 'pdf'],
      ['.agents\\skills\\pdf\\run.bat', 'pdf'],
      ['bash .agents/skills/pdfs/run.sh', undefined],
      ['npm test', undefined],
    ] as const) {
      assert.equal(skillOfCommand(command, skills), name, command);
    }
  });
});
