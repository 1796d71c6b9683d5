import type { Call } from '../wire/http.ts';
import type { Cause } from '../agentServer/work.ts';

export interface MessageBody {
  readonly content?: readonly {
    readonly text?: string;
    readonly image_urls?: readonly string[];
  }[];
  readonly run?: boolean;
}

/** The text is `undefined` without content. Pictures are addresses. */
export function readMessage({ content = [], run = false }: MessageBody) {
  const texts = content.flatMap((part) => part.text ?? []);
  return {
    text: texts.length > 0 ? texts.join('\n') : undefined,
    pictures: content.flatMap((part) => part.image_urls ?? []),
    run,
  };
}

/** The cause of actions that are executed because of a request. */
export function causeOf({ method, path }: Call): Cause {
  return `${method} ${path}`;
}
