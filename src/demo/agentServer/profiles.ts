import { models } from '../names.ts';

/** The first is active. */
export const profiles = [
  profile('5b0c1f6e-1d0a-4a57-9d0e-6a1f3c2b7d11', 'default', 3, models[0]),
  profile('8e4a9d52-7c33-4f0b-8a6d-2f9e1b5c4a22', 'careful reviewer', 1, models[2]),
  profile('c27f3b18-94de-4e61-b7a5-0d8c6e4f9b33', 'local model', 0, models[3]),
] as const;

function profile(id: string, name: string, revision: number, model: string) {
  return { id, name, agent_kind: 'openhands', revision, llm_profile_ref: model, mcp_server_refs: null };
}
