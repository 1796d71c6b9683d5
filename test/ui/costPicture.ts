import { startMisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { writeSpentDays } from '../support/spentDays.ts';
import { Camera, dismissMessages, size } from './camera.ts';
import {
  openSideBar,
  rows,
  runCommand,
  setUpDesk,
  themes,
  webviewOf,
} from './support.ts';

/** Takes a picture of the page of costs. */
export async function takeCostPicture(name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`There is no theme ${name}.`);
  const service = await startMisbehavingDemo({ interface: 'v1' });
  const desk = await setUpDesk({
    settings: {
      'workbench.colorTheme': theme.label,
      'switchboard.services': [{ url: service.url, name: 'At home' }],
      'switchboard.notifications': 'off',
      'switchboard.refreshInterval': 0,
      'workbench.editor.showTabs': 'none',
      'workbench.reduceMotion': 'on',
    },
    env: {
      SWITCHBOARD_SERVICE_URL: service.url,
      SWITCHBOARD_API_KEY: service.key,
    },
  });
  try {
    await writeSpentDays(desk.home);
    const { page } = await desk.open(size);
    await page.locator(`.monaco-workbench.${theme.kind}`).waitFor();
    await openSideBar(page);
    await rows(page, 'Conversations', /cost/).first().waitFor();
    await runCommand(page, 'Switchboard: Show Costs');
    const frame = await webviewOf(page, 'Costs');
    await frame.getByRole('img').waitFor();
    await dismissMessages(page);
    const camera = new Camera(page, name);
    const editor = page.locator('.part.editor');
    await camera.take('pictures/costs', await camera.frame(editor));
  } finally {
    await desk.clear();
    await service.stop();
  }
}
