/** Takes pictures of approval rules, and of worktrees to clean up. */
import { startMisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { AskingAgents } from './askingAgents.ts';
import { Camera, dismissMessages, size } from './camera.ts';
import {
  eventually,
  openPage,
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  themes,
} from './support.ts';

/** The page of an action with a rule to make of it, and the list of rules. */
export async function takeRulePictures(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const service = await startMisbehavingDemo({
    interface: 'agentServer',
    conversations: 0,
  });
  const agents = new AskingAgents(service);
  const desk = await setUpDesk({
    settings: {
      'workbench.colorTheme': theme.label,
      'switchboard.notifications': 'off',
      'switchboard.refreshInterval': 1,
      'workbench.editor.showTabs': 'none',
      'workbench.reduceMotion': 'on',
    },
    env: {
      SWITCHBOARD_SERVICE_URL: service.url,
      SWITCHBOARD_API_KEY: service.key,
    },
  });
  try {
    const id = await agents.create('Fix login');
    const { page } = await desk.open(size);
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await openSideBar(page);
    const row = rows(page, 'Conversations', /^Fix login/);
    const frame = await openPage(page, row, 'Fix login');
    await agents.wantTo(id, 'npm test');
    const offer = frame.getByRole('button', { name: /^Accept, and Don't Ask/ });
    await offer.waitFor();
    await dismissMessages(page);
    const camera = new Camera(page, name);
    const editor = page.locator('.part.editor');
    await camera.take('pictures/rule', await camera.frame(editor));

    const dialog = page.locator('.monaco-dialog-box');
    // A click right after the action appears is ignored.
    await eventually(async () => {
      await offer.click();
      await dialog.waitFor({ timeout: 1_000 });
    });
    await dialog.getByRole('button', { name: 'From Now On' }).click();
    await frame.locator('.by-agent', { hasText: 'Done.' }).waitFor();
    await agents.wantTo(id, 'npm test -- --grep login');
    await frame.getByRole('button', { name: /^Accepted by rule/ }).waitFor();

    await runCommand(page, 'Switchboard: Approval Rules…');
    const list = page.locator('.quick-input-widget');
    await list.getByText('npm test *').waitFor();
    await camera.take('pictures/rules', await camera.frame(list));
  } finally {
    await desk.clear();
    await service.stop();
  }
}

/** The worktrees of an Agent Server that can be removed. */
export async function takeWorktreePicture(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const service = await startMisbehavingDemo({ interface: 'agentServer' });
  const desk = await setUpDesk({
    settings: {
      'workbench.colorTheme': theme.label,
      'switchboard.notifications': 'off',
      'workbench.editor.showTabs': 'none',
      'workbench.reduceMotion': 'on',
    },
    env: {
      SWITCHBOARD_SERVICE_URL: service.url,
      SWITCHBOARD_API_KEY: service.key,
    },
  });
  try {
    const { page } = await desk.open(size);
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await openSideBar(page);
    await rows(page, 'Conversations').first().waitFor();
    await dismissMessages(page);
    await runCommand(page, 'Switchboard: Clean Up Worktrees…');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Read Worktrees' }).click();
    const list = page.locator('.quick-input-widget');
    await list.getByText('Conversation is gone').waitFor();
    const camera = new Camera(page, name);
    await camera.take('pictures/worktrees', await camera.frame(list));
  } finally {
    await desk.clear();
    await service.stop();
  }
}
