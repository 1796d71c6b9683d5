import { maskText } from '../../base/masks/maskText.ts';
import { maskArguments } from '../format/mask.ts';
import type { Server } from '../format/server.ts';
import { takesValue } from './launchers.ts';

export function suggestName(server: Server): string {
  const name =
    server.transport === 'stdio'
      ? localName(server.command, server.args)
      : hostName(server.url);
  return name || 'server';
}

const mostArguments = 100;
const longest = 200;

function localName(command: string, all: readonly string[]): string {
  const args = all.slice(0, mostArguments).map((arg) => arg.slice(0, longest));
  const masked = maskArguments(command, args);
  const open = args.filter(
    (arg, i) => arg === masked[i] && !/^-|^[A-Z\d_]+$|[\s=${}<>]/.test(arg),
  );
  const proxied = open.find((arg) => /^https?:/i.test(arg));
  if (
    proxied !== undefined &&
    open.some((arg) => /^mcp-(?:remote|proxy)\b/.test(arg))
  )
    return hostName(proxied);
  const values = new Set(
    args.filter((_, i) => takesValue.has(args[i - 1] ?? '')),
  );
  const words = open.filter(
    (arg) =>
      !values.has(arg) &&
      !/^(?:run|exec|dlx|x|tool|start|serve|stdio)$|^start-|:\/\//.test(arg),
  );
  const program = maskText(command.slice(-longest));
  return packageName(
    [program, ...words].find((word) => /mcp/i.test(word)) ??
      words[0] ??
      program,
  );
}

/** Parts of names without information. */
const empty =
  /^(?:mcp|servers?|path|to|index|main|dist|build|src|bin|lib|latest|app|npx|uvx|bunx|node|docker|python\d*|)$/i;

function packageName(text: string): string {
  const segments = text.split(/[\\/]+/).map((segment) =>
    segment
      .replace(/(?<=.)[@:].*$/, '')
      .replace(/\.(?:[cm]?[jt]s|py|exe|cmd|sh|jar)$/i, '')
      .split(/[-_.@]+/)
      .filter((word) => !empty.test(word))
      .join('-'),
  );
  return clean(segments.findLast((segment) => segment !== '') ?? '');
}

function hostName(url: string): string {
  if (!URL.canParse(url)) return '';
  const { hostname } = new URL(url);
  const labels = hostname.split('.');
  if (labels.length === 1 || /^[\d.]+$/.test(hostname)) return clean(hostname);
  const telling = labels
    .slice(0, -1)
    .filter(
      (label) =>
        !/^(?:www|mcp|api|remote|server|sse|com?|org|net)$/.test(label),
    );
  return clean(telling.at(-1) ?? '');
}

function clean(name: string): string {
  const text = name.replace(/[^\p{L}\p{N}._-]+/gu, '').slice(0, 60);
  return maskText(text) === text ? text : '';
}
