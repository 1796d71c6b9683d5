/** A window that is only a page, such as vscode.dev: no machine stands behind it, and extensions run in the browser. */
import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';

/** Takes the machine from the windows that this page will load. */
export async function makeWebOnly(page: Page): Promise<void> {
  // A page that is changed on its way is a stranger to this machine.
  await page.context().grantPermissions(['local-network-access']);
  await page.route(/\/workbench\.js$/, (route) =>
    change(route, (script) => {
      // code-server always connects to the machine, and keeps the user's settings there.
      const alone = replace(script, 'remoteAuthority:location.host', 'remoteAuthority:void 0');
      return replace(
        alone,
        /\.with\(\{scheme:\w+\.vscodeRemote\}\),"User"\)/,
        '.with({scheme:"vscode-userdata"}),"User")',
      );
    }),
  );
}

async function change(route: Route, edit: (text: string) => string): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, body: edit(await response.text()) });
}

function replace(text: string, what: string | RegExp, by: string): string {
  const replaced = text.replace(what, by);
  assert.notEqual(replaced, text, `This VS Code does not say ${String(what)}.`);
  return replaced;
}
