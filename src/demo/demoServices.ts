/** The demo as people have services: one of a team, with V0 and V1, beside an Agent Server on their own machine. */
import { afternoonAtHome, afternoonOfTeam } from './afternoon.ts';

export const demoServices = [
  { name: 'Demo', interface: 'v0', seed: 90, conversations: 60, written: afternoonOfTeam },
  {
    name: 'Demo Agent Server',
    interface: 'agentServer',
    seed: 6,
    conversations: 20,
    written: afternoonAtHome,
  },
] as const;
