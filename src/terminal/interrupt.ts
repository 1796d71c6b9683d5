const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls back when the user ends the program; the second time ends it. Returns a function that stops listening. */
export function onInterrupt(callback: () => void): () => void {
  let times = 0;
  const onSignal = () => {
    if (++times > 1) process.exit(1);
    callback();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
