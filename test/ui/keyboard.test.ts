import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };
import english from '../../package.nls.json' with { type: 'json' };
import { writeStandIn } from '../support/standInInstaller.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import { contextKeys } from '../../src/editor/manifest.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import {
  acceptChecked,
  askWith,
  closeEditors,
  type Desk,
  eventually,
  goTo,
  hears,
  isTold,
  labels,
  openSideBar,
  question,
  rows,
  runCommand,
  setUpDesk,
  spoken,
  takeFirstInMenu,
  takePicture,
  view,
  webviewOf,
} from './support.ts';

const text = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files"] },
    "issues": { "url": "https://issues.example.com/mcp", "transport": "http", "enabled": false }
  }
}
`;

/** Runs in the page. */
const forgetAnnouncements = `(() => {
  for (const said of document.querySelectorAll('.monaco-aria-container > *')) said.textContent = '';
})()`;

describe('a command run by keyboard and heard by a screen reader', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;
  let clock: SteppedClock;
  let file: string;
  const tried = new Set<string>();

  before(async () => {
    // The demo changes only when a test advances its clock.
    clock = new SteppedClock(Date.now());
    service = await startMisbehavingDemo({ clock });
    desk = await setUpDesk({
      // Without automatic refreshes, every request comes from a command.
      settings: {
        'switchboard.services': [{ url: service.url }],
        'switchboard.refreshInterval': 0,
        'switchboard.onAttention': { command: [process.execPath, '-e', ''] },
      },
    });
    file = join(desk.home, '.agent', 'mcp.json');
    await mkdir(join(desk.home, '.agent'));
    await writeFile(file, text, { mode: 0o600 });
    ({ page } = await desk.open({ height: 1600 }));
    await page
      .context()
      .grantPermissions(['clipboard-read', 'clipboard-write']);
    await openSideBar(page);
    await rows(page, 'Conversations', /^Key required, /).waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  /**
   * Runs a command from the palette. What was announced before it no longer
   * counts.
   */
  async function run(title: string): Promise<void> {
    tried.add(title);
    await page.evaluate(forgetAnnouncements);
    await runCommand(page, `Switchboard: ${title}`);
  }

  /** Moves down until the selected item matches. */
  async function seek(words: RegExp): Promise<void> {
    await eventually(async () => {
      if (words.test(await spoken(page))) return;
      await page.keyboard.press('ArrowDown');
      assert.match(await spoken(page), words);
    });
  }

  /** Moves down until the selected item matches, and accepts it. */
  async function take(words: RegExp): Promise<void> {
    await seek(words);
    await page.keyboard.press('Enter');
  }

  async function copied(): Promise<string> {
    return await page.evaluate<string>('navigator.clipboard.readText()');
  }

  /** The address that the window opened in a new page. */
  async function opened(): Promise<string> {
    await eventually(() => {
      assert.equal(page.context().pages().length, 2);
      return Promise.resolve();
    });
    const [, beside] = page.context().pages();
    const address = beside?.url() ?? '';
    await beside?.close();
    return address;
  }

  /** Advances the clock of the service until this is visible. */
  async function until(row: Locator): Promise<void> {
    await eventually(async () => {
      clock.advance(1_000);
      await row.waitFor({ timeout: 1_000 });
    });
  }

  it('sets and clears the API key by keyboard', async () => {
    await run('Set API Key');
    await hears(
      page,
      /Set API Key.*Key of 127\.0\.0\.1:\d+\. It is stored in the secret storage/,
    );
    assert.equal(await question(page).getAttribute('type'), 'password');
    await page.keyboard.press('Enter');
    await hears(page, 'Enter the key, or press Escape.');
    await page.keyboard.type('not-the-key');
    await page.keyboard.press('Enter');
    await isTold(page, 'refused access. Check the key.');
    await run('Manage Services');
    await hears(page, /Manage Services.*127\.0\.0\.1/);
    await page.keyboard.press('Enter');
    await take(/Remove Its API Key/);
    await rows(page, 'Conversations', /^Key required, /).waitFor();
    await run('Set API Key');
    await hears(page, /Key of/);
    await page.keyboard.type(service.key);
    await page.keyboard.press('Enter');
    await rows(page, 'Conversations', /^Load more/).waitFor();
    await rows(page, 'Sandboxes').first().waitFor();
  });

  it('renames a service and finds services on this machine by keyboard', async () => {
    await run('Manage Services');
    await hears(page, /Manage Services.*127\.0\.0\.1/);
    await page.keyboard.press('Enter');
    await hears(page, /Refresh/);
    await take(/Rename/);
    await hears(page, /Rename 127.*Display name of the service/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('At home');
    await page.keyboard.press('Enter');
    await view(page, 'Conversations')
      .locator('.pane-header .description')
      .getByText('At home')
      .waitFor();
    await run('Manage Models');
    await isTold(page, /The models of this service cannot be changed here/);
    await run('Find Services on This Machine');
    // The answer depends on this machine: a question, or a message that there
    // is nothing.
    const announced = page.locator('.monaco-aria-container');
    await eventually(async () => {
      const told = `${await spoken(page)} ${(await announced.textContent()) ?? ''}`;
      assert.match(
        told,
        /Services on This Machine|No service was found on this machine/,
      );
    });
    await page.keyboard.press('Escape');
  });

  it('asks before it starts an Agent Server by keyboard', async () => {
    await writeStandIn(join(desk.home, '.local', 'bin'), { newest: '1.0.0' });
    await run('Start an Agent Server');
    await page.getByRole('button', { name: 'Install and Start' }).waitFor();
    await hears(page, /Install and start an Agent Server on this machine\?/);
    await page.keyboard.press('Escape');
    await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
  });

  it('sends a test notification, and reads its outcome', async () => {
    await run('Send a Test Notification');
    await page
      .getByRole('dialog', { name: /node ended with exit code 0\./ })
      .getByText('"state":"waiting","title":"Test notification"')
      .waitFor();
    await page.keyboard.press('Escape');
  });

  it('shows the log by keyboard', async () => {
    await run('Show Log');
    await page
      .locator('.part.panel .output-view, .part.panel .monaco-editor')
      .first()
      .waitFor();
    // The closing palette may take the focus with it.
    await runCommand(page, 'Output: Focus on Output View');
    await hears(page, /Agent Switchboard.*Output/);
    await page.keyboard.press('Control+j');
    await page.locator('.part.panel').waitFor({ state: 'hidden' });
  });

  it('groups and sorts conversations by keyboard', async () => {
    await run('Group Conversations By');
    await hears(page, /Group by - Group Conversations.*Nothing, current/i);
    await take(/Repository/);
    const group = rows(
      page,
      'Conversations',
      /^meridian\/forecast, \d loaded$/,
    );
    await group.waitFor();
    await run('Group Conversations By');
    await hears(page, 'Repository, current');
    await takePicture(page, 'keyboard-Repository');
    await page.keyboard.press('ArrowUp');
    await hears(page, '; Nothing');
    await page.keyboard.press('Enter');
    await group.waitFor({ state: 'hidden' });

    await run('Sort Conversations By');
    await hears(
      page,
      /Sort by - Sort Conversations.*What Needs You, Then Creation, current/i,
    );
    await take(/Last Activity/i);
    await run('Sort Conversations By');
    await hears(page, /Last Activity, current/i);
    await page.keyboard.press('ArrowUp');
    await hears(page, /; Creation/i);
    await page.keyboard.press('Escape');
  });

  it('filters conversations and clears the filters by keyboard', async () => {
    await run('Filter Conversations');
    await hears(page, 'Filter by - Filter Conversations');
    await take(/State/);
    await hears(page, /Filter by State; Any, current/);
    await take(/Failed/);
    const filter = rows(
      page,
      'Conversations',
      /^Filter: .*failed.*, \d of 20 loaded$/i,
    );
    await filter.waitFor();
    await run('Filter Conversations');
    await take(/Clear Filters/);
    await filter.waitFor({ state: 'hidden' });
  });

  it('clears the filter from the menu of its row by keyboard', async () => {
    await run('Filter Conversations');
    await take(/Title/);
    await hears(
      page,
      /Filter by Title.*Part of the title. Leave empty to show all/,
    );
    await page.keyboard.type('fix');
    await page.keyboard.press('Enter');
    const filter = rows(page, 'Conversations', /^Filter: .*“fix”/);
    await filter.waitFor();
    await goTo(page, 'Conversations', /^Filter: /);
    await hears(page, /Filter: .*“fix”/);
    await page.keyboard.press('Shift+F10');
    await takeFirstInMenu(page, 'Clear Filters');
    await filter.waitFor({ state: 'hidden' });
  });

  it('refreshes both lists and loads more conversations by keyboard', async () => {
    const before = service.requests.length;
    await run('Refresh Conversations');
    await eventually(() => {
      const asked = service.requests.slice(before).map(({ path }) => path);
      for (const list of ['/api/conversations', '/api/v1/sandboxes'])
        assert.ok(
          asked.some((path) => path.startsWith(list)),
          asked.join(),
        );
      return Promise.resolve();
    });
    await goTo(page, 'Conversations', /^Load more/);
    await page.keyboard.press('Enter');
    await eventually(async () => {
      const [more = ''] = (await labels(page, 'Conversations')).slice(-1);
      assert.doesNotMatch(more, /20 loaded/);
    });
  });

  it('copies the link of a conversation by keyboard', async () => {
    for (const [title, words, what] of [
      [
        'Copy Conversation Link',
        'Select the conversation whose link to copy',
        /^https?:/,
      ],
    ] as const) {
      await page.evaluate("navigator.clipboard.writeText('')");
      await run(title);
      await hears(page, new RegExp(`^${words}; .+, .+`));
      await page.keyboard.press('Enter');
      await eventually(async () => {
        assert.match(await copied(), what);
      });
    }
  });

  it('opens a conversation, a sandbox address and a pull request by keyboard', async () => {
    await run('Open in Browser');
    await hears(
      page,
      /^Select the conversation to open in the browser; .+, .+/,
    );
    await page.keyboard.press('Enter');
    assert.match(await opened(), /\/conversations\/\w+$/);

    await run('Open Sandbox Address');
    await hears(page, /^Select the sandbox whose address to open; .+, .+/);
    await page.keyboard.press('Enter');
    await hears(page, /^Select the address to open; .+, http/);
    await page.keyboard.press('Enter');
    assert.match(
      await opened(),
      /\/exposed\/box-\w+\/AGENT_SERVER\?tkn=demo-secret-/,
    );

    await run('Open Pull Request');
    await hears(
      page,
      /^Select the conversation whose pull request to open; .+, .+/,
    );
    await page.keyboard.press('Enter');
    // The editor's own question.
    await hears(page, /^Open; .*external website/);
    await page.keyboard.press('Escape');
  });

  it('starts a sandbox by keyboard', async () => {
    // However long the tests before took, what is started now is new.
    clock.advance(Date.now() - clock.now());
    await run('Start Sandbox');
    await hears(
      page,
      'Select a template for the sandbox - Start a Sandbox; Default, Chosen by the service',
    );
    await take(/1\.8-node/);
    await hears(
      page,
      /^Start; .*\d other sandboxes are running. The service may pause the oldest ones/,
    );
    await page.keyboard.press('Enter');
    await isTold(page, 'Starting a sandbox');
    const started = rows(
      page,
      'Sandboxes',
      /^Sandbox, server:1\.8-node, Starting, .*just now$/,
    );
    await started.waitFor();
    await until(
      rows(
        page,
        'Sandboxes',
        /^Sandbox, server:1\.8-node, Running, .*created just now$/,
      ),
    );
  });

  it('pauses and resumes a sandbox by keyboard', async () => {
    await run('Pause Sandbox');
    await hears(page, /^Select the sandbox to pause; .+, Running/);
    await take(/1\.9-python, Running/);
    await isTold(page, /Pausing server:1\.9-python/);
    await until(
      rows(page, 'Sandboxes', /^Sandbox, server:1\.9-python, Paused/).first(),
    );
    await run('Resume Sandbox');
    await hears(page, /^Select the sandbox to resume; .+, Paused/);
    await take(/1\.9-python, Paused/);
    await hears(page, /^Resume; .*other sandbox.*may pause the oldest ones/);
    await page.keyboard.press('Enter');
    await isTold(page, /Resuming server:1\.9-python/);
    await until(
      rows(page, 'Sandboxes', /^Sandbox, server:1\.9-python, Running/).first(),
    );
  });

  it('asks before deleting a sandbox by keyboard', async () => {
    await run('Delete Sandbox');
    await hears(page, /^Select the sandbox to delete; .+, /);
    await page.keyboard.press('Enter');
    await hears(page, /^Delete; .*Everything in it is lost/);
    await page.keyboard.press('Escape');
  });

  it('asks which conversation to resume by keyboard', async () => {
    // The list does not know without asking which sandbox the service has
    // paused for another.
    await runCommand(page, 'Switchboard: Refresh Conversations');
    await rows(page, 'Conversations', /, Stopped/)
      .first()
      .waitFor();
    await run('Resume Conversation');
    await hears(page, /^Select the conversation to resume; .+, .+/);
    await page.keyboard.press('Escape');
  });

  it('shows a conversation, focusing the action to answer or the message field, by keyboard', async () => {
    for (const [title, question, place] of [
      [
        'Open Conversation',
        /^Select the conversation to open; .+, .+/,
        /Message to the agent/,
      ],
      [
        'Approve or Reject Action…',
        /^Select the action to answer; .+, Waiting for you/,
        /^The agent wants to do/,
      ],
      [
        'Accept Action',
        /^Select the action to accept; .+, Waiting for you/,
        /^The agent wants to do/,
      ],
      [
        'Send Message',
        /^Select the conversation to write to; .+/,
        /Message to the agent/,
      ],
      [
        'Reject Action',
        /^Select the action to reject; .+, Waiting for you/,
        /^The agent wants to do/,
      ],
    ] as const) {
      // The closing palette would return the keyboard to a page that has it
      // already.
      await goTo(page, 'Conversations');
      await run(title);
      await hears(page, question);
      // A short command is accepted or rejected in its row.
      if (title.endsWith('Action')) await seek(/Opens the conversation/);
      const conversation = /; ([^,]+)/.exec(await spoken(page))?.[1] ?? '';
      await page.keyboard.press('Enter');
      await webviewOf(page, conversation);
      await hears(page, place);
      // The conversation of an active page would be taken without a question.
      await closeEditors(page);
    }
  });

  it('asks which conversation to attach a selection or files to by keyboard', async () => {
    await runCommand(page, 'File: New Untitled Text File');
    await page.keyboard.type('const answer = 42;');
    await page.keyboard.press('Control+a');
    await run('Attach Selection to Conversation');
    await hears(page, /^Select the conversation to attach it to; .+/);
    await page.keyboard.press('Escape');
    await run('Attach Files to Conversation');
    await hears(page, /^Select the conversation to attach it to; .+/);
    await page.keyboard.press('Escape');
    await runCommand(page, 'View: Revert and Close Editor');
  });

  it('asks which agent to stop, and which conversation to fork', async () => {
    await run('Stop Agent');
    await hears(page, /^Select the agent to stop; .+, Working/);
    await page.keyboard.press('Escape');
    await run('Fork Conversation');
    await hears(page, /^Select the conversation to fork; .+/);
    await page.keyboard.press('Escape');
  });

  it('marks the conversation of the page as unread and read by keyboard, and finds none to pin or archive', async () => {
    await goTo(page, 'Conversations', /, Finished, /);
    const title = /; ([^,]+)/.exec(await spoken(page))?.[1] ?? '';
    await page.keyboard.press('Enter');
    await webviewOf(page, title);
    await hears(page, /Message to the agent/);
    const unread = rows(page, 'Conversations', /, Unread/).filter({
      hasText: title.slice(0, 12),
    });
    await run('Mark Conversation as Unread');
    await unread.waitFor();
    await run('Mark Conversation as Read');
    await unread.waitFor({ state: 'detached' });
    await run('Switch Model…');
    await hears(page, /^Select the model for “/);
    await page.keyboard.press('Escape');
    await run('Set Limit of Conversation…');
    await hears(page, /US dollars that it may spend/);
    await page.keyboard.press('Escape');
    await run('Compact Conversation');
    await (
      await webviewOf(page, title)
    )
      .getByText('Compacted the earlier events.')
      .waitFor();
    for (const name of ['Pin', 'Unpin', 'Archive', 'Unarchive']) {
      // The editor does not announce a message again that it still shows.
      await runCommand(page, 'Notifications: Clear All Notifications');
      await run(`${name} Conversation`);
      await isTold(
        page,
        'No matching conversation. Refresh the list or load more.',
      );
    }
    await closeEditors(page);
  });

  it('asks which conversation to show changes of by keyboard', async () => {
    for (const title of ['Show Changes (Diff)', 'Show Changes Since…']) {
      await run(title);
      await hears(page, /^Select the conversation whose changes to show; .+/);
      await page.keyboard.press('Escape');
    }
  });

  it('explains that taking over changes needs a clone of the repository', async () => {
    await run('Take Over Changes');
    await isTold(
      page,
      'Open a clone of the repository the agent works in, and try again.',
    );
  });

  it('asks for the conversation and the message to request a pull request by keyboard', async () => {
    await run('Ask for a Pull Request');
    await hears(page, /^Select the conversation to ask for a pull request; .+/);
    await page.keyboard.press('Enter');
    await hears(page, /Ask for a Pull Request.*Message to the agent of/);
    await page.keyboard.press('Escape');
  });

  it('explains how to comment and that there are no comments to send', async () => {
    await run('Comment to the Agent');
    await isTold(page, 'select lines, and choose Comment to the Agent again.');
    await run('Send Review');
    await isTold(page, 'There are no comments to send.');
  });

  it('asks for a new title and before deleting a conversation by keyboard', async () => {
    await run('Rename Conversation');
    await hears(page, /^Select the conversation to rename; .+/);
    await page.keyboard.press('Enter');
    await hears(page, /Rename Conversation.*New title of/);
    await page.keyboard.press('Escape');
    await run('Delete Conversation');
    await hears(page, /^Select the conversation to delete; .+/);
    await page.keyboard.press('Enter');
    await hears(
      page,
      /^Delete; .*Everything that was said and done in it is lost/,
    );
    await page.keyboard.press('Escape');
  });

  it('explains that there is nothing to start a conversation from', async () => {
    await run('Start Conversation From Here');
    await isTold(
      page,
      'There is nothing to start from. Open a file of a Git repository, or select some text.',
    );
  });

  it('shows the approval rules and tries a command by keyboard', async () => {
    await run('Approval Rules…');
    await hears(page, /Approval Rules.*; Pushes with Git/);
    await take(/Try a Command…/);
    await hears(page, /- Try a Command; Nothing is run/);
    await page.keyboard.type('git push');
    await page.getByText('Would ask: yes, because of “Pushes').waitFor();
    await page.keyboard.press('Escape');
    await hears(page, /Approval Rules.*; Pushes with Git/);
    await page.keyboard.press('Escape');
  });

  it('explains which services have no worktrees', async () => {
    await run('Clean Up Worktrees…');
    await isTold(page, /No connected service has worktrees/);
  });

  it('writes a new conversation, makes its choices, and removes its failed row by keyboard', async () => {
    await run('New Conversation (Agent Chat)');
    await hears(page, 'Message to the agent');
    await page.keyboard.type('This is going to fail');
    await rows(
      page,
      'Conversations',
      /^This is going to fail, Draft$/,
    ).waitFor();
    for (const next of [
      'Attach File…',
      'Attach Editor Selection',
      'Create',
      'No Repository',
    ]) {
      await page.keyboard.press('Tab');
      await hears(page, next);
    }
    await page.keyboard.press('Enter');
    await hears(
      page,
      /Repository to work in.* - New Conversation; No Repository/,
    );
    await takePicture(page, 'keyboard-new');
    await page.keyboard.type('northwind/storefront');
    await hears(page, /northwind\/storefront/);
    await page.keyboard.press('Enter');
    await hears(page, 'Repository: northwind/storefront');
    await page.keyboard.press('Tab');
    await hears(page, 'Default Branch');
    for (let back = 0; back < 5; back++) await page.keyboard.press('Shift+Tab');
    await hears(page, 'Message to the agent');
    await page.keyboard.press('Control+Enter');
    const failed = rows(
      page,
      'Conversations',
      /^This is going to fail, Not created/,
    );
    await until(failed);
    const frame = await webviewOf(page, 'This is going to fail');
    await frame
      .getByRole('status')
      .getByText('The setup script ended with exit code 1')
      .waitFor();
    await frame.getByRole('button', { name: 'Create' }).waitFor();
    assert.equal(
      await frame.locator('textarea').inputValue(),
      'This is going to fail',
    );
    await takePicture(page, 'keyboard-new-failed');
    await goTo(page, 'Conversations', /^This is going to fail/);
    await hears(page, 'This is going to fail, Not created');
    await page.keyboard.press('Shift+F10');
    await takeFirstInMenu(page, 'Cancel New Conversation');
    await failed.waitFor({ state: 'hidden' });
  });

  it('disables, enables and removes an MCP server by keyboard, and undoes the removal', async () => {
    let before = '';
    for (const [title, words, name, said] of [
      [
        'Disable MCP Server',
        'Select the MCP servers to disable',
        'files',
        'Disabled "files"',
      ],
      [
        'Enable MCP Server',
        'Select the MCP servers to enable',
        'files',
        'Enabled "files"',
      ],
      [
        'Remove MCP Server',
        'Select the MCP servers to remove',
        'files',
        'Removed "files"',
      ],
    ] as const) {
      await run(title);
      await hears(page, words);
      await page.keyboard.press('ArrowDown');
      await hears(page, new RegExp(`${words} .*; .*${name}`));
      await acceptChecked(page);
      await isTold(page, said);
      if (title === 'Enable MCP Server') before = await readFile(file, 'utf8');
    }
    assert.doesNotMatch(await readFile(file, 'utf8'), /"files"/);
    // The button "Undo".
    await runCommand(page, 'Notifications: Accept Notification Primary Action');
    await eventually(async () => {
      assert.equal(await readFile(file, 'utf8'), before);
    });
  });

  it('asks before checking MCP servers and says that tools are not known yet', async () => {
    const words = 'Select the MCP servers to check';
    await run('Check MCP Server');
    await hears(page, words);
    await page.keyboard.press('ArrowDown');
    await hears(page, new RegExp(`${words} .*; .*files`));
    await acceptChecked(page);
    await hears(page, /^Check; .*Check “files”\?/);
    await page.keyboard.press('Escape');
    await run('Choose Tools of MCP Server');
    await hears(
      page,
      /^Select the MCP server whose tools to choose .*; files, enabled/,
    );
    await page.keyboard.press('Enter');
    await isTold(
      page,
      'The tools of “files” are not known yet. Check it first.',
    );
  });

  it('shows an MCP server, and uses the links of a page while it changes', async () => {
    await goTo(page, 'MCP Servers');
    await run('Show MCP Server Details');
    await hears(
      page,
      /^Select the MCP server to show .*; files, enabled · stdio/,
    );
    await page.keyboard.press('Enter');
    await webviewOf(page, 'files');
    await hears(page, /^files$/);
    for (const [link, told] of [
      ['Disable', 'Disabled "files"'],
      ['Enable', 'Enabled "files"'],
    ] as const) {
      await hears(page, 'files');
      await page.keyboard.press('Tab');
      await hears(page, link);
      await page.keyboard.press('Enter');
      await isTold(page, told);
    }
    await closeEditors(page);
    await writeFile(file, text);
  });

  it('shows the MCP servers of running conversations by keyboard', async () => {
    await run('Show MCP Status');
    await webviewOf(page, 'MCP Servers of Running Conversations');
    await hears(page, 'MCP Servers of Running Conversations');
    await page.keyboard.press('Tab');
    await hears(page, 'Refresh');
    await page.keyboard.press('Tab');
    await hears(page, 'Open Configuration File');
    await page.keyboard.press('Enter');
    await hears(page, 'mcp.json');
    await closeEditors(page);
  });

  it('shows what agents cost, and copies it, by keyboard', async () => {
    await run('Show Costs');
    await webviewOf(page, 'Costs');
    await hears(page, 'Costs');
    await page.keyboard.press('Tab');
    await hears(page, 'Copy as CSV');
    await page.keyboard.press('Enter');
    await eventually(async () => {
      assert.match(await copied(), /^Table,Name,/);
    });
    await closeEditors(page);
  });

  it('opens the configuration file and an MCP server in it by keyboard', async () => {
    await run('Open Configuration File');
    await hears(page, 'mcp.json');
    await run('Edit MCP Server');
    await hears(page, /^Select the MCP server to edit .*; files, enabled/);
    await take(/issues, disabled/);
    await hears(page, 'mcp.json');
    await page.locator('.part.statusbar').getByText('Ln 4').waitFor();
  });

  it('announces a problem in the file and fixes it by keyboard', async () => {
    await writeFile(
      file,
      text.replace('"transport": "http"', '"transport": "htp"'),
    );
    await page.locator('.squiggly-error').first().waitFor();
    await runCommand(page, 'Go to Next Problem (Error, Warning, Info)');
    await page.locator('.marker-widget').waitFor();
    await takePicture(page, 'keyboard-problem');
    await isTold(page, /Error: .*This is not a valid transport/);
    await askWith(page, 'Control+.', /Change to "http"/);
    await takePicture(page, 'keyboard-fix');
    await page.keyboard.press('Enter');
    await page.locator('.tab.dirty').waitFor();
    await page.keyboard.press('Control+s');
    await page.locator('.tab.dirty').waitFor({ state: 'detached' });
    assert.equal(await readFile(file, 'utf8'), text);
    await closeEditors(page);
  });

  it('asks for a new MCP server and adds one from text by keyboard', async () => {
    await run('Add MCP Server');
    await hears(page, /Add MCP Server; Command or URL of the server/);
    await page.keyboard.press('Escape');
    await page.evaluate(
      `navigator.clipboard.writeText('mcp add more -- npx more')`,
    );
    await run('Add MCP Server from Text');
    await hears(
      page,
      'The clipboard has an MCP server. Choose what to add. - Add MCP Server from Text',
    );
    await page.keyboard.press('Enter');
    await hears(
      page,
      /^Add “more”\? Secrets are masked in the preview\..*; Add, Change .*mcp\.json as shown/,
    );
    await takePicture(page, 'keyboard-text');
    await page.keyboard.press('Enter');
    await eventually(async () => {
      assert.match(await readFile(file, 'utf8'), /"more"/);
    });
    await writeFile(file, text);
  });

  it('removes a service, asks for a new one, and starts and stops the demo by keyboard', async () => {
    await run('Remove Service');
    await isTold(page, 'Removed At home. Its key is kept.');
    await rows(page, 'Conversations').first().waitFor({ state: 'hidden' });
    await run('Connect to a Service');
    await hears(page, /Connect to a Service.*Address of the service/);
    await page.keyboard.press('Escape');
    await run('Try the Demo Service');
    // The walkthrough opens beside the list, at the step about it.
    await hears(page, /Open a conversation, and answer its agent/);
    await rows(page, 'Conversations').first().waitFor();
    assert.match(
      await spoken(page),
      /Open a conversation, and answer its agent/,
    );
    await run('Stop the Demo Service');
    await view(page, 'Conversations')
      .getByRole('button', { name: 'Try the Demo Service' })
      .waitFor();
  });

  it('covers all commands in the palette', () => {
    const hidden = manifest.contributes.menus.commandPalette
      // Nothing has been taken over here, and no diff is open; changes.test.ts
      // opens one.
      .filter(
        ({ when }) =>
          /^(?:false$|never)/.test(when) ||
          when === contextKeys.takenOver ||
          when.includes('resourceScheme == switchboard-changes'),
      )
      .map(({ command }) => command);
    const offered = manifest.contributes.commands
      .filter(({ command }) => !hidden.includes(command))
      .map(
        ({ title }) =>
          (english as Readonly<Record<string, string>>)[title.slice(1, -1)],
      );
    assert.deepEqual(
      offered.filter((title) => !tried.has(title ?? '')),
      [],
    );
  });
});
