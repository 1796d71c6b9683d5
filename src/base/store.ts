/**
 * Storage that survives the window, for the workspace or for the machine. The
 * editor's Memento is one.
 */
export interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
