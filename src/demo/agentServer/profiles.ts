import { models } from '../names.ts';
import type { Profile } from './wire.ts';

const common = { agent_kind: 'openhands', mcp_server_refs: null } as const;

/** The first is active. */
export const profiles: readonly [Profile, ...Profile[]] = [
  {
    ...common,
    id: '5b0c1f6e-1d0a-4a57-9d0e-6a1f3c2b7d11',
    name: 'default',
    revision: 3,
    llm_profile_ref: models[0],
  },
  {
    ...common,
    id: '8e4a9d52-7c33-4f0b-8a6d-2f9e1b5c4a22',
    name: 'careful reviewer',
    revision: 1,
    llm_profile_ref: models[2],
  },
  {
    ...common,
    id: 'c27f3b18-94de-4e61-b7a5-0d8c6e4f9b33',
    name: 'local model',
    revision: 0,
    llm_profile_ref: models[3],
  },
];
