/** A fake marketplace that offers only this extension. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const url = 'https://gallery.example';

/**
 * The value of EXTENSIONS_GALLERY with which the windows of a server look for
 * extensions here.
 */
export const gallerySettings = JSON.stringify({
  serviceUrl: url,
  resourceUrlTemplate: `${url}/{path}`,
});

/**
 * Offers the package that VS Code installed into this folder to the windows of
 * this page.
 */
export async function openGallery(page: Page, folder: string): Promise<void> {
  const described = await readFile(join(folder, '.vsixmanifest'), 'utf8');
  const assets = new Map(assetsOf(described));
  const headers = { 'Access-Control-Allow-Origin': '*' };
  await page.route(`${url}/**`, async (route) => {
    const [name = ''] = new URL(route.request().url()).pathname
      .split('/')
      .slice(-1);
    const asset = assets.get(name);
    if (name === 'extensionquery')
      await route.fulfill({ headers, json: found(described) });
    else if (asset === undefined) await route.fulfill({ headers, status: 404 });
    else await route.fulfill({ headers, path: join(folder, asset) });
  });
}

/** The files that a gallery shows, by type. */
const assetsOf = (described: string) =>
  pairs(described, /<Asset Type="([^"]*)" Path="extension\/([^"]*)"/g);

function pairs(text: string, pattern: RegExp): (readonly [string, string])[] {
  return [...text.matchAll(pattern)].map(([, first = '', second = '']) => [
    first,
    second,
  ]);
}

/** The answer to any search, in the format of the marketplace. */
function found(described: string): object {
  const attribute = (name: string) =>
    new RegExp(`<Identity [^>]*\\b${name}="([^"]*)"`).exec(described)?.[1] ??
    '';
  const text = (name: string) =>
    new RegExp(`<${name}[^>]*>([^<]*)<`).exec(described)?.[1] ?? '';
  const date = new Date().toISOString();
  const publisher = {
    publisherId: '0',
    publisherName: attribute('Publisher'),
    displayName: text('DisplayName'),
  };
  const version = {
    version: attribute('Version'),
    lastUpdated: date,
    assetUri: url,
    fallbackAssetUri: url,
    files: [
      ...assetsOf(described).map(([assetType]) => ({
        assetType,
        source: `${url}/${assetType}`,
      })),
      // The marketplace signs its packages. Without a signature, VS Code would
      // report only that it is missing.
      {
        assetType: 'Microsoft.VisualStudio.Services.VsixSignature',
        source: `${url}/signature`,
      },
    ],
    properties: pairs(described, /<Property Id="([^"]*)" Value="([^"]*)"/g).map(
      ([key, value]) => ({
        key,
        value,
      }),
    ),
  };
  const extension = {
    extensionId: '0',
    extensionName: attribute('Id'),
    displayName: text('DisplayName'),
    shortDescription: text('Description'),
    publisher,
    versions: [version],
    tags: text('Tags').split(','),
    categories: text('Categories').split(','),
    statistics: [],
    flags: 'validated, public',
    releaseDate: date,
    publishedDate: date,
    lastUpdated: date,
  };
  const metadata = {
    metadataType: 'ResultCount',
    metadataItems: [{ name: 'TotalCount', count: 1 }],
  };
  return { results: [{ extensions: [extension], resultMetadata: [metadata] }] };
}
