/**
 * Takes pictures of parts of a window for README.md, docs/, and the
 * walkthrough.
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { root } from '../host/paths.ts';
import { inFewColours } from './fewColours.ts';
import { eventually, messages, runCommand } from './support.ts';

/** A rectangle in the window. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export class Camera {
  readonly #page: Page;
  readonly theme: string;

  constructor(page: Page, theme: string) {
    this.#page = page;
    this.theme = theme;
  }

  async take(
    path: string,
    frame: Frame = { x: 0, y: 0, ...size },
  ): Promise<void> {
    // So that nothing is hovered over.
    await this.#page.mouse.move(size.width - 1, size.height - 30);
    await this.#page
      .locator('.monaco-hover:visible')
      .waitFor({ state: 'detached' });
    const session = await this.#page.context().newCDPSession(this.#page);
    const isSmall = path.startsWith('walkthrough');
    const { data } = await session.send('Page.captureScreenshot', {
      ...(isSmall ? { format: 'png' } : { format: 'webp', quality: 75 }),
      clip: { ...frame, scale: isSmall ? 1 : 1.6 },
    });
    await session.detach();
    const small = { png: data, most: 16, type: 'image/webp' };
    const picture = isSmall
      ? await this.#page.evaluate(inFewColours, small)
      : data;
    const file = join(root, 'media', `${path}-${this.theme}.webp`);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, Buffer.from(picture, 'base64'));
  }

  /**
   * The bounds of an element, cut off at a height if given, but never in the
   * middle of a line.
   */
  async frame(
    element: Locator,
    atMost?: number,
    lines?: Locator,
    margin = 0,
  ): Promise<Frame> {
    const box = await element.boundingBox();
    if (!box) throw new Error('The subject of a picture is missing.');
    const height = Math.min(box.height, atMost ?? box.height);
    const measure = () => endsOf(lines, box.y);
    let ends = await measure();
    // A list that changes has only some of its lines for a moment.
    await eventually(async () => {
      const before = ends;
      ends = await measure();
      assert.deepEqual(ends, before);
    });
    const whole = ends.filter((end) => end > 0 && end <= height);
    return {
      ...box,
      height: whole.length > 0 ? Math.max(...whole) + margin : height,
    };
  }
}

/** The distance from here to the end of the lines. */
async function endsOf(
  lines: Locator | undefined,
  top: number,
): Promise<number[]> {
  return await Promise.all(
    ((await lines?.all()) ?? []).map(async (line) => {
      // The demo keeps changing, and may remove a line.
      const place = await line
        .boundingBox({ timeout: 1_000 })
        .catch(() => null);
      return place ? place.y + place.height - top : 0;
    }),
  );
}

/** The size of the window. */
export const size = { width: 1200, height: 750 };

/** So that only what the picture is about is on it. */
export async function dismissMessages(page: Page): Promise<void> {
  await runCommand(page, 'Notifications: Clear All Notifications');
  await messages(page).first().waitFor({ state: 'detached' });
}

export async function widenSideBar(page: Page, width: number): Promise<void> {
  const sideBar = page.locator('.part.sidebar');
  const box = await sideBar.boundingBox();
  await drag(page, sideBar, width - (box?.width ?? 0), 0);
}

/** Moves an edge of a part: the right edge sideways, or the top edge down. */
export async function drag(
  page: Page,
  part: Locator,
  right: number,
  down: number,
): Promise<void> {
  const box = await part.boundingBox();
  if (!box) throw new Error('The part to resize is missing.');
  const [x, y] =
    right === 0
      ? [box.x + box.width / 2, box.y]
      : [box.x + box.width, box.y + 300];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + right, y + down, { steps: 5 });
  await page.mouse.up();
}
