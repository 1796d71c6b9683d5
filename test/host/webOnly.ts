/**
 * Makes a window that is only a web page, such as vscode.dev: it has no
 * machine, and extensions run in the browser.
 */
import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';

/** Makes windows that this page loads from now on run without a machine. */
export async function makeWebOnly(page: Page): Promise<void> {
  // The browser treats a page that was modified in transit as coming from
  // another network.
  await page.context().grantPermissions(['local-network-access']);
  await page.route(/\/workbench\.js$/, (route) =>
    change(route, (script) => {
      // code-server always connects to the machine, and stores the user
      // settings there.
      const alone = replace(
        script,
        'remoteAuthority:location.host',
        'remoteAuthority:void 0',
      );
      return replace(
        alone,
        /\.with\(\{scheme:\w+\.vscodeRemote\}\),"User"\)/,
        '.with({scheme:"vscode-userdata"}),"User")',
      );
    }),
  );
}

async function change(
  route: Route,
  edit: (text: string) => string,
): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, body: edit(await response.text()) });
}

function replace(text: string, what: string | RegExp, by: string): string {
  const replaced = text.replace(what, by);
  assert.notEqual(
    replaced,
    text,
    `This VS Code does not contain ${String(what)}.`,
  );
  return replaced;
}
