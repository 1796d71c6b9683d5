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
    await take(page, /Add Model…/);
    await hears(page, /Provider\. For a gateway/);
    await takePicture(page, 'models-provider');
    await page.keyboard.type('openai');
    await hears(page, /openai/);
    await page.keyboard.press('Enter');
    await hears(page, /Model of openai/);
    await page.keyboard.type('in-house');
    await hears(page, /in-house/);
    await page.keyboard.press('Enter');
    await answer(page, /Base URL/, 'https://llm.example.com/v1');
    await hears(page, /Key for the model/);
    assert.equal(await question(page).getAttribute('type'), 'password');
    await answer(page, /Key for the model/, 'wrong');
    await answer(page, /Dollars per million tokens/, '3, 15');
    await hears(page, /Name of the model at the service/);
    assert.equal(await question(page).inputValue(), 'in-house');
    await page.keyboard.press('Enter');
    await hears(page, /The test failed/);
    await takePicture(page, 'models-test-failed');
    await take(page, /Key…/);
    await answer(page, /The new key/, 'demo-key-right');
    await take(page, /Test\b.*Asks the model once/);
    await hears(page, /The test passed/);
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
    // A page that takes the keyboard late would close the list.
    await closeEditors(page);
    await goTo(page, 'Conversations');
    await runCommand(page, 'Switchboard: Manage Services');
    await take(page, /127\.0\.0\.1/);
    await take(page, /Models…/);
    await take(page, /gpt-5\.1/);
    await take(page, /Make Default/);
    await isTold(page, /New conversations use the model “gpt-5\.1”/);
    await hears(page, /Models of At home/);
    await take(page, /gpt-5\.1/);
    await hears(page, /New conversations use this model/);
    await take(page, /Remove…/);
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
    await take(page, /Manage Models…/);
    await hears(page, /Models of At home/);
    await page.keyboard.press('Escape');
    await hears(page, /^Select the model for “/);
    await take(page, /in-house/);
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
    await take(page, /default, active/);
    await hears(page, /What an agent with this profile gets/);
    await takePicture(page, 'models-agent-profile');
    await take(page, /MCP Servers…/);
    await hears(page, /Select the MCP servers/);
    await takePicture(page, 'models-agent-profile-servers');
    await page.keyboard.press('Escape');
    await runCommand(page, 'Switchboard: Manage Models');
    await take(page, /Secrets…/);
    await hears(page, /Secrets of At home/);
    await takePicture(page, 'models-secrets');
    await take(page, /Add Secret…/);
    await answer(page, /Name of the secret/, 'GITHUB_TOKEN');
    await answer(page, /The value/, 'canary');
    await hears(page, /Secrets of At home/);
    await take(page, /GITHUB_TOKEN/);
    await hears(page, /Select what to do/);
    await page.keyboard.press('Escape');
    const { secrets } = await ask('settings/secrets');
    assert.match(JSON.stringify(secrets), /GITHUB_TOKEN/);
  });
});

describe('the models of a web application, by keyboard', () => {
  let desk: Desk;
  let page: Page;
  let service: MisbehavingDemo;

  before(async () => {
    service = await startMisbehavingDemo({ interface: 'v1' });
    desk = await setUpDesk({
      settings: {
        'switchboard.services': [{ url: service.url, name: 'At work' }],
        'switchboard.refreshInterval': 0,
      },
      env: {
        SWITCHBOARD_SERVICE_URL: service.url,
        SWITCHBOARD_API_KEY: service.key,
      },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
    await rows(page, 'Conversations').first().waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  async function ask(path: string) {
    const headers = { 'x-session-api-key': service.key };
    const response = await fetch(`${service.url}/api/v1/${path}`, { headers });
    return (await response.json()) as Record<string, unknown>;
  }

  it('adds, changes, copies and removes a model, and offers what it can do alone', async () => {
    await runCommand(page, 'Switchboard: Manage Models');
    await take(page, /Add Model…/);
    await answer(page, /Provider\. For a gateway/, 'openai');
    await answer(page, /Model of openai/, 'in-house');
    await answer(page, /Base URL/, 'https://llm.example.com/v1');
    await answer(page, /Key for the model/, 'canary');
    await answer(page, /Dollars per million tokens/, '3, 15');
    await answer(page, /Name of the model at the service/, '');
    await hears(page, /Models of At work/);
    await take(page, /in-house/);
    await hears(page, /Make Default/);
    await takePicture(page, 'models-of-web-application');
    await page.keyboard.press('Enter');
    await isTold(page, /New conversations use the model “in-house”/);
    await take(page, /in-house, default/);
    await take(page, /Cost…/);
    await answer(page, /Dollars per million tokens/, '4, 20');
    await hears(page, /New conversations use this model/);
    await take(page, /Copy…/);
    await answer(page, /Name of the model at the service/, '');
    await answer(page, /Enter the key again/, 'canary');
    await hears(page, /Models of At work/);
    await page.keyboard.press('Escape');
    const { profiles, active_profile } = await ask('settings/profiles');
    assert.equal(active_profile, 'in-house');
    assert.match(
      JSON.stringify(profiles),
      /"in-house",[^}]*"api_key_set":true\}.*"in-house-2",[^}]*"api_key_set":true/,
    );
    await runCommand(page, 'Switchboard: Manage Models');
    await take(page, /in-house-2/);
    await take(page, /Remove…/);
    await hears(page, /Remove the model “in-house-2”\?/);
    await page.keyboard.press('Enter');
    await isTold(page, /Removed the model “in-house-2”/);
  });

  it('forgets the cost of a model that another one replaced', async () => {
    await runCommand(page, 'Switchboard: Manage Models');
    await take(page, /Add Model…/);
    await answer(page, /Provider\. For a gateway/, 'openai');
    await answer(page, /Model of openai/, 'nowhere-known');
    await answer(page, /Base URL/, '');
    await answer(page, /Key for the model/, 'canary');
    await answer(page, /Dollars per million tokens/, '3, 15');
    for (const words of [
      /Name of the model at the service/,
      /Dollars per million tokens/,
      /Key for the model/,
      /Base URL/,
    ]) {
      await hears(page, words);
      await page.getByRole('button', { name: 'Back' }).click();
    }
    await answer(page, /Provider\. For a gateway/, 'openai');
    await answer(page, /Model of openai/, 'gpt-6-sol');
    await answer(page, /Base URL/, '');
    await answer(page, /Key for the model/, 'canary');
    await answer(page, /Name of the model at the service/, 'replaced');
    await hears(page, /Models of At work/);
    await page.keyboard.press('Escape');
    const { config } = await ask('settings/profiles/replaced');
    assert.match(JSON.stringify(config), /"input_cost_per_token":null/);
  });

  it('adds a secret', async () => {
    await runCommand(page, 'Switchboard: Manage Models');
    await take(page, /Secrets…/);
    await take(page, /Add Secret…/);
    await answer(page, /Name of the secret/, 'GITHUB_TOKEN');
    await answer(page, /The value/, 'canary');
    await hears(page, /Secrets of At work/);
    await page.keyboard.press('Escape');
    const secrets = await ask('secrets/search');
    assert.match(JSON.stringify(secrets), /GITHUB_TOKEN/);
  });

  it('switches the model of a conversation in a sandbox', async () => {
    await closeEditors(page);
    await goTo(page, 'Conversations', /, Finished/);
    const title = /; ([^,]+)/.exec(await spoken(page))?.[1] ?? '';
    await page.keyboard.press('Enter');
    const frame = await webviewOf(page, title);
    const details = frame.getByText('Details').first();
    await details.focus();
    await details.press('Enter');
    const switchModel = frame.getByRole('button', { name: 'Switch Model…' });
    await takePicture(page, 'models-in-sandbox');
    await switchModel.focus();
    await switchModel.press('Enter');
    await hears(page, /^Select the model for “/);
    await take(page, /in-house/);
    await frame.getByText('Model: openai/in-house').waitFor();
  });
});

async function take(page: Page, words: RegExp): Promise<void> {
  await eventually(async () => {
    if (!words.test(await spoken(page))) await page.keyboard.press('ArrowDown');
    assert.match(await spoken(page), words);
  });
  await page.keyboard.press('Enter');
}

/** Answers the question that has these words. */
async function answer(
  page: Page,
  words: string | RegExp,
  text: string,
): Promise<void> {
  await hears(page, words);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

async function composed(frame: Frame, text: string): Promise<void> {
  await eventually(async () => {
    assert.equal(await frame.locator('textarea').inputValue(), text);
  });
}
