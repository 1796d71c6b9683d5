/** Translations of values of other programs; `undefined` for one without a meaning here. */
import { meantBoolean, meantNumber } from './ownKeys.ts';
import type { Fields, Value } from '../text/values.ts';

/** Turns names of variables into references to them. */
export function referencesTo(value: Value): Value | undefined {
  if (!(value instanceof Map)) return undefined;
  const isText = (item: Value) => item !== null && typeof item !== 'object';
  return new Map(
    [...(value as Fields)].map(([name, item]) => [name, isText(item) ? `\${${String(item)}}` : item]),
  );
}

export function bearerIn(variable: Value): Value | undefined {
  return typeof variable === 'string' && variable !== ''
    ? new Map(Object.entries({ Authorization: `Bearer \${${variable}}` }))
    : undefined;
}

export function headersIn(request: Value): Value | undefined {
  const headers = request instanceof Map ? (request as Fields).get('headers') : undefined;
  return headers instanceof Map ? headers : undefined;
}

/** A token, or `oauth` for true and for an object that does not say otherwise. */
export function authOf(value: Value): Value | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  const isOn = value instanceof Map ? (value as Fields).get('enabled') !== false : value === true;
  return isOn ? 'oauth' : undefined;
}

/** True for an object that says more than whether to sign in. */
export function hasAuthDetails(value: Value | undefined): boolean {
  return value instanceof Map && [...(value as Fields).keys()].some((key) => key !== 'enabled');
}

export function negatedBoolean(value: Value): Value | undefined {
  const isOn = meantBoolean(value);
  return isOn === undefined ? undefined : !isOn;
}

export function inMilliseconds(seconds: Value): Value | undefined {
  const number = meantNumber(seconds);
  return number === undefined ? undefined : number * 1000;
}

export function switchedOff(tools: Value): Value | undefined {
  if (!Array.isArray(tools) || tools.length === 0 || !tools.every((tool) => typeof tool === 'string')) {
    return undefined;
  }
  return new Map(tools.map((tool) => [tool, new Map([['enabled', false]])]));
}
