import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../support/demo/faults/misbehavingDemo.ts';
import {
  closeEditors,
  type Desk,
  eventually,
  goTo,
  hears,
  isTold,
  openSideBar,
  question,
  rows,
  runCommand,
  setUpDesk,
  spoken,
  takePicture,
  webviewOf,
} from './support.ts';

describe('the models of an Agent Server, by keyboard', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;

  before(async () => {
    service = await startMisbehavingDemo({ interface: 'agentServer' });
    desk = await setUpDesk({
      settings: {
        'switchboard.services': [{ url: service.url, name: 'At home' }],
        'switchboard.refreshInterval': 0,
      },
      env: {
        SWITCHBOARD_SERVICE_URL: service.url,
        SWITCHBOARD_API_KEY: service.key,
      },
    });
    // The active agent profile of a fresh service has no model.
    await ask('agent-profiles/default', {
      agent_kind: 'openhands',
      llm_profile_ref: 'default',
      mcp_server_refs: null,
    });
    ({ page } = await desk.open());
    await openSideBar(page);
    await rows(page, 'Conversations').first().waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  async function ask(path: string, body?: object) {
    const response = await fetch(`${service.url}/api/${path}`, {
      headers: {
        'x-session-api-key': service.key,
        'content-type': 'application/json',
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  async function take(words: RegExp): Promise<void> {
    await eventually(async () => {
      if (!words.test(await spoken(page)))
        await page.keyboard.press('ArrowDown');
      assert.match(await spoken(page), words);
    });
    await page.keyboard.press('Enter');
  }

  /** Answers the question that has these words. */
  async function answer(words: string | RegExp, text: string): Promise<void> {
    await hears(page, words);
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }

  it('adds a model from a new conversation without one, and loses nothing that was typed', async () => {
    await runCommand(page, 'Switchboard: New Conversation (Agent Chat)');
    await hears(page, 'Message to the agent');
    await page.keyboard.type('Add a test for the cart');
    const frame = await webviewOf(page, 'Add a test for the cart');
    await frame.getByText('The profile “default” has no model yet.').waitFor();
    await takePicture(page, 'models-draft-without');
    await frame.getByRole('button', { name: 'Choose a Model…' }).focus();
    await page.keyboard.press('Enter');
    await hears(page, /Models of At home/);
    await takePicture(page, 'models-list');
    await take(/Add Model…/);
    await hears(page, /Provider\. For a gateway/);
    await takePicture(page, 'models-provider');
    await page.keyboard.type('openai');
    await hears(page, /openai/);
    await page.keyboard.press('Enter');
    await hears(page, /Model of openai/);
    await page.keyboard.type('in-house');
    await hears(page, /in-house/);
    await page.keyboard.press('Enter');
    await answer(/Base URL/, 'https://llm.example.com/v1');
    await hears(page, /Key for the model/);
    assert.equal(await question(page).getAttribute('type'), 'password');
    await answer(/Key for the model/, 'wrong');
    await answer(/Dollars per million tokens/, '3, 15');
    await hears(page, /Name of the model at the service/);
    assert.equal(await question(page).inputValue(), 'in-house');
    await page.keyboard.press('Enter');
    await hears(page, /The test failed/);
    await takePicture(page, 'models-test-failed');
    await take(/Key…/);
    await answer(/The new key/, 'demo-key-right');
    await take(/Test\b.*Asks the model once/);
    await hears(page, /The model answered/);
    await takePicture(page, 'models-test-passed');
    await page.keyboard.press('Escape');
    await composed(frame, 'Add a test for the cart');
    await frame.getByText('has no model yet').waitFor({ state: 'detached' });
    await frame.getByRole('button', { name: /default \(in-house\)/ }).waitFor();
    await takePicture(page, 'models-draft-with');
    await frame.locator('textarea').press('Enter');
    await hears(page, /Folder to work in.*checkout-api/);
    // Enter chooses nothing while the list is drawn anew.
    await eventually(async () => {
      if ((await spoken(page)).includes('Folder to work in'))
        await page.keyboard.press('Enter');
      const { items } = await ask('conversations/search?limit=1');
      const [{ agent }] = items as [{ agent: { llm: { model: string } } }];
      assert.equal(agent.llm.model, 'openai/in-house');
    });
  });

  it('makes another model the default with Undo, and refuses to remove it', async () => {
    await runCommand(page, 'Switchboard: Manage Services');
    await take(/127\.0\.0\.1/);
    await take(/Models…/);
    await take(/gpt-5\.1/);
    await take(/Make Default/);
    await isTold(page, /New conversations use the model “gpt-5\.1”/);
    await hears(page, /Models of At home/);
    await take(/gpt-5\.1/);
    await hears(page, /New conversations use this model/);
    await take(/Remove…/);
    await hears(page, /Remove the model “gpt-5\.1”\?/);
    await page.keyboard.press('Enter');
    await isTold(
      page,
      /is referenced by 2 agent profile\(s\): default, careful reviewer/,
    );
  });

  it('offers another model where an agent failed for want of one', async () => {
    await goTo(page, 'Conversations', /, Failed/);
    const title = /; ([^,]+)/.exec(await spoken(page))?.[1] ?? '';
    await page.keyboard.press('Enter');
    const frame = await webviewOf(page, title);
    const choose = frame.getByRole('button', { name: 'Choose a Model…' });
    await choose.waitFor();
    await takePicture(page, 'models-error');
    await choose.focus();
    await page.keyboard.press('Enter');
    await hears(page, /^Select the model for “/);
    await take(/Manage Models…/);
    await hears(page, /Models of At home/);
    await page.keyboard.press('Escape');
    await hears(page, /^Select the model for “/);
    await take(/in-house/);
    await isTold(page, /uses in-house now\. Send a message to continue/);
    await frame.getByText('Model: openai/in-house').waitFor();
  });

  it('shows an agent profile and its problems, and the secrets', async () => {
    // The closing palette returns the keyboard to a page late, which would close
    // the list.
    await closeEditors(page);
    await goTo(page, 'Conversations');
    await runCommand(page, 'Switchboard: Manage Models');
    await hears(page, /Models of At home/);
    await take(/default, active/);
    await hears(page, /What an agent with this profile gets/);
    await takePicture(page, 'models-agent-profile');
    await take(/MCP Servers…/);
    await hears(page, /Select the MCP servers/);
    await takePicture(page, 'models-agent-profile-servers');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Switchboard: Manage Models');
    await take(/Secrets…/);
    await hears(page, /Secrets of At home/);
    await takePicture(page, 'models-secrets');
    await take(/Add Secret…/);
    await answer(/Name of the secret/, 'GITHUB_TOKEN');
    await answer(/The value/, 'canary');
    await hears(page, /Secrets of At home/);
    await take(/GITHUB_TOKEN/);
    await hears(page, /Select what to do/);
    await page.keyboard.press('Escape');
    const { secrets } = await ask('settings/secrets');
    assert.match(JSON.stringify(secrets), /GITHUB_TOKEN/);
  });
});

async function composed(frame: Frame, text: string): Promise<void> {
  await eventually(async () => {
    assert.equal(await frame.locator('textarea').inputValue(), text);
  });
}
