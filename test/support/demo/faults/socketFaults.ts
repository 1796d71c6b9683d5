import { Dice } from '../../../../src/demo/wire/random.ts';
import type { Effects } from './effect.ts';

/**
 * WebSockets that are refused, end, fall silent, or send things twice, late or
 * in another order.
 */
export const socketEffects: Effects<
  | 'socketRefused'
  | 'socketClosed'
  | 'socketBreaks'
  | 'socketStalls'
  | 'socketLoses'
  | 'socketRepeats'
  | 'socketDisorder'
  | 'socketStates'
> = {
  socketRefused: (refusal) => ({ socket: { refusal } }),

  socketClosed: (closing) => ({ socket: { closing } }),

  socketBreaks: (most) => {
    const dice = new Dice(1, 1);
    let sockets = 0;
    return {
      socket: {
        frames: (next, socket) => {
          let left = dice.between(`break ${sockets++}`, 1, Math.max(1, most));
          return (frame) => {
            if (left > 0) next(frame);
            // Frames that were sent before still arrive.
            if (--left === 0)
              setImmediate(() => {
                socket.terminate();
              });
          };
        },
      },
    };
  },

  socketStalls: (frames) => ({
    socket: {
      frames: (next, socket) => {
        let left = frames;
        return (frame) => {
          if (left-- > 0) next(frame);
          else socket.pause();
        };
      },
    },
  }),

  socketLoses: (each) => ({
    socket: {
      frames: (next) => {
        let count = 0;
        return (frame) => {
          if (++count % each !== 0) next(frame);
        };
      },
    },
  }),

  socketRepeats: () => ({
    socket: {
      frames: (next) => (frame) => {
        next(frame);
        next(frame);
      },
    },
  }),

  socketDisorder: () => {
    const dice = new Dice(1, 2);
    let count = 0;
    return {
      socket: {
        frames: (next, _, world) => {
          const late: string[] = [];
          const sendOne = () => {
            const [frame] = late.splice(
              dice.below(`late ${count++}`, late.length),
              1,
            );
            if (frame !== undefined) next(frame);
          };
          return (frame) => {
            late.push(frame);
            if (late.length > mostLate) sendOne();
            world.after(latest, () => {
              while (late.includes(frame)) sendOne();
            });
          };
        },
      },
    };
  },

  socketStates: () => ({
    socket: {
      frames: (next, socket, world) => {
        let state: string | undefined;
        const again = () => {
          if (socket.readyState !== socket.OPEN) return;
          if (state !== undefined) next(state);
          world.after(200, again);
        };
        world.after(200, again);
        return (frame) => {
          if (frame.includes('"full_state"')) state = frame;
          next(frame);
        };
      },
    },
  }),
};

/** So many events wait for each other, and so many milliseconds at most. */
const mostLate = 5;
const latest = 100;
