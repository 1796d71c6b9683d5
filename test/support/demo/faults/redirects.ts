import type { HttpAnswer, Call } from '../../../../src/demo/wire/http.ts';
import type { Effects } from './effect.ts';

/** The parameter that marks a redirected request. */
const mark = 'redirected';

const usual = 307;

export const redirectEffects: Effects<
  'redirectSelf' | 'redirectOther' | 'redirectWithin' | 'redirectStatus'
> = {
  redirectSelf: (_, { redirectStatus = usual }) => ({
    instead: ({ path, query }) => redirect(redirectStatus, path, query),
  }),
  redirectOther: (address, { redirectStatus = usual }) => ({
    instead: () => redirect(redirectStatus, address),
  }),
  redirectWithin: (_, { redirectStatus = usual }) => ({
    instead: ({ path, query }) =>
      query.has(mark)
        ? undefined
        : redirect(
            redirectStatus,
            path,
            new URLSearchParams([...query, [mark, 'true']]),
          ),
  }),
  redirectStatus: () => ({}),
};

function redirect(
  status: number,
  address: string,
  query: Call['query'] = new URLSearchParams(),
): HttpAnswer {
  const location = query.size > 0 ? `${address}?${query.toString()}` : address;
  return { status, headers: { location }, content: '' };
}
