/**
 * The typical setup: a team's service with V0 and V1, and an Agent Server on
 * the user's own machine.
 */
import { afternoon } from './afternoon.ts';

const team = afternoon.filter(({ isAtHome }) => !isAtHome);
const home = afternoon.filter(({ isAtHome }) => isAtHome);

export const demoServices = [
  {
    name: 'Demo',
    interface: 'v0',
    seed: 550,
    conversations: 60,
    written: team,
  },
  {
    name: 'Demo Agent Server',
    interface: 'agentServer',
    seed: 6,
    conversations: 20,
    written: home,
    automations: true,
  },
] as const;
