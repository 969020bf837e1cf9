import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { cutMiddle } from '../../../agent/cutText.ts';
import { LocalHosts } from '../../../agent/localHosts.ts';
import { problemCount } from '../../../agent/tools/notes.ts';
import { type AgentTool, defineTool, ToolError, text } from '../../../agent/tools/tool.ts';
import { changedPaths } from '../../../chat/apply/unifiedDiff.ts';
import { diffWithin, withoutGenerated } from '../../../chat/codeCommands/diffParts.ts';
import { fetchPage } from '../../../chat/context/address/fetchPage.ts';
import { parseWebAddress } from '../../../chat/context/address/webAddress.ts';
import { isKeyName } from '../../../secrets/keyNames.ts';
import { attachProblems, countProblems } from '../../chat/context/problems.ts';
import { hasKey } from '../../chat/guard/guard.ts';
import { repositoryInUse } from '../../git/gitApi.ts';
import { unstagedDiff } from '../../git/workingChanges.ts';
import { targetOf } from '../workspacePaths.ts';

/** How long the editor's problems must have stayed the same after a change, and the longest wait, in milliseconds. */
const QUIET_MS = 600;
const MAX_WAIT_MS = 4000;
/** A longer diff is cut file by file. */
const MAX_DIFF_TOKENS = 8000;

export function contextTools(): AgentTool[] {
  return [getProblems(), getChanges(), fetchAddress()];
}

function getProblems(): AgentTool {
  const schema = z.object({ path: z.optional(text('Path of a file. Default: all files.')) });
  const description = 'Returns the errors and warnings that the editor reports.';
  return defineTool('get_problems', description, schema, async ({ path }) => {
    const target = path === undefined ? undefined : await targetOf(path);
    return {
      action: { kind: 'problems', object: target?.path ?? l10n.t('all files') },
      run: async () => {
        await problemsUpdated();
        const count = countProblems(target?.uri);
        const action = { note: problemCount(count) };
        if (count === 0) return { text: 'The editor reports no problems.', action };
        return { text: cutMiddle(attachProblems(target?.uri).text, 'Request a single file.'), action };
      },
    };
  });
}

/** Language services report some time after a change, and do not say when they are done. */
function problemsUpdated(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(quiet);
      clearTimeout(latest);
      subscription.dispose();
      resolve();
    };
    let quiet = setTimeout(done, QUIET_MS);
    const latest = setTimeout(done, MAX_WAIT_MS);
    const subscription = vscode.languages.onDidChangeDiagnostics(() => {
      clearTimeout(quiet);
      quiet = setTimeout(done, QUIET_MS);
    });
  });
}

function getChanges(): AgentTool {
  const schema = z.object({
    staged: z.optional(z.boolean().check(z.describe('Return the staged changes instead of the unstaged ones.'))),
  });
  const description = 'Returns the changes in the Git repository as a diff, with new files.';
  return defineTool('get_changes', description, schema, async ({ staged = false }) => {
    const object = staged ? l10n.t('staged changes') : l10n.t('Git changes');
    const root = vscode.window.activeTextEditor?.document.uri ?? vscode.workspace.workspaceFolders?.[0]?.uri;
    const repository = await repositoryInUse(root);
    const diff = repository && (staged ? await repository.diff(true) : await unstagedDiff(repository));
    const shown = diffWithin(withoutGenerated(diff ?? ''), MAX_DIFF_TOKENS);
    const isSecret = changedPaths(shown).some(isKeyName) || (await hasKey(shown));
    return {
      action: { kind: 'changes', object },
      ...(isSecret && { need: { kind: 'file', subject: object, reason: 'secret' } }),
      run: async () => ({
        text: shown.trim() === '' ? 'There are no changes.' : cutMiddle(shown, 'Read single files with read_file.'),
      }),
    };
  });
}

function fetchAddress(): AgentTool {
  const schema = z.object({ address: text('Address of the page, with https://.') });
  const localHosts = new LocalHosts();
  return defineTool('fetch_page', 'Returns the text of a web page.', schema, ({ address }) => {
    const url = parsed(address);
    const reaches = localHosts.allowing(url);
    return {
      action: { kind: 'fetch', object: url.href },
      need: { kind: 'address', subject: localHosts.subjectOf(url) },
      run: async ({ signal }) => {
        const page = await fetchPage(url, { signal, follows: refuseOtherHost, reaches });
        if (page === undefined) throw new ToolError('It was canceled.');
        const { pageText } = await import('../../../chat/context/address/pageText.ts');
        const isHtml = page.mediaType === 'text/html' || page.mediaType === 'application/xhtml+xml';
        const plain = (isHtml ? pageText(page.text) : page.text).trim();
        return {
          text: cutMiddle(plain === '' ? 'The page contains no text.' : plain, 'The page is too long to read in full.'),
          source: { name: url.href, isFile: false },
        };
      },
    };
  });
}

/** The user has allowed this host only. A redirect could send what the address contains to any other. */
async function refuseOtherHost(to: URL, from: URL): Promise<never> {
  throw new ToolError(`${from.host} redirects to ${to.href}. Fetch that address if you need the page.`);
}

function parsed(address: string): URL {
  try {
    return parseWebAddress(address);
  } catch {
    throw new ToolError(`${address} is not a valid address. It must start with http:// or https://.`);
  }
}
