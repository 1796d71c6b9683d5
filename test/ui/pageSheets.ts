/**
 * node test/ui/pageSheets.ts: draws every state of the page of a conversation
 * in all themes, narrow, wide and zoomed, side by side on sheets in
 * .vscode-test/pictures, to be looked at.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from '../host/paths.ts';
import { main } from '../host/steps.ts';
import { bareThemes, openBarePage } from './barePage.ts';
import { pageStates } from './pageStates.ts';

const sizes = [
  { width: 320, height: 560, scale: 1, columns: 6 },
  { width: 1200, height: 640, scale: 0.5, columns: 3 },
  // A window of 1200 pixels at a zoom of 200 %.
  { width: 600, height: 320, scale: 1, columns: 3 },
];

await main(async () => {
  const folder = join(cache, 'pictures');
  await mkdir(folder, { recursive: true });
  const bare = await openBarePage();
  const browser = bare.page.context().browser();
  const sheet = await browser?.newPage({
    viewport: { width: 2000, height: 600 },
  });
  for (const theme of bareThemes) {
    for (const { width, height, scale, columns } of sizes) {
      await bare.page.setViewportSize({ width, height });
      const pictures: string[] = [];
      for (const state of pageStates) {
        await bare.show(state, theme);
        const picture = (await bare.page.screenshot()).toString('base64');
        const image = `<img src="data:image/png;base64,${picture}" width="${width * scale}">`;
        pictures.push(
          `<figure>${image}<figcaption>${state.name}</figcaption></figure>`,
        );
      }
      const style = `body { display: grid; grid-template-columns: repeat(${columns}, max-content); gap: 8px;
        background: #888; font: 14px sans-serif; margin: 8px } figure { margin: 0 } img { display: block }`;
      await sheet?.setContent(`<style>${style}</style>${pictures.join('')}`);
      await sheet?.screenshot({
        path: join(folder, `page-${theme}-${width}.png`),
        fullPage: true,
      });
    }
  }
  await bare.close();
  return 0;
});
