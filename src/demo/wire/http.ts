/** A parsed request for routes. */
export interface Call {
  readonly method: string;
  /** The encoded path without the query. */
  readonly path: string;
  /** The parts of the path, decoded. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Fields of a JSON object. */
export type BodyFields = Readonly<Record<string, unknown>>;

/** Parses the JSON in the body, whose form the demo does not check. */
export function bodyOf({ body }: Call): unknown {
  return JSON.parse(body);
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON, or as text if the content type is not JSON. */
  readonly content: unknown;
  /** Delay of the answer in milliseconds of real time. */
  readonly wait?: number;
  /** Delays the answer until true, by the service's clock. */
  readonly isDone?: () => boolean;
}

export const jsonType = 'application/json';

export function json(content: unknown, status = 200): HttpAnswer {
  return { status, headers: { 'content-type': jsonType }, content };
}

/** An error as FastAPI words it. */
export function failed(status: number, detail: unknown): HttpAnswer {
  return json({ detail }, status);
}

export function text(
  content: string,
  type = 'text/plain; charset=utf-8',
  status = 200,
): HttpAnswer {
  return { status, headers: { 'content-type': type }, content };
}

export const broken: HttpAnswer = text(
  'Internal Server Error',
  'text/plain; charset=utf-8',
  500,
);

export function isJson(answer: HttpAnswer): boolean {
  return answer.headers['content-type'] === jsonType;
}

export function bytes(answer: HttpAnswer): Buffer {
  if (answer.content instanceof Uint8Array) return Buffer.from(answer.content);
  return Buffer.from(
    isJson(answer) ? JSON.stringify(answer.content) : String(answer.content),
  );
}
