/** The demo as people have services: one of a team, with V0 and V1, beside an Agent Server on their own machine. */
import { afternoon } from './afternoon.ts';

const team = afternoon.filter(({ isAtHome }) => !isAtHome);
const home = afternoon.filter(({ isAtHome }) => isAtHome);

export const demoServices = [
  { name: 'Demo', interface: 'v0', seed: 550, conversations: 60, written: team },
  { name: 'Demo Agent Server', interface: 'agentServer', seed: 6, conversations: 20, written: home },
] as const;
