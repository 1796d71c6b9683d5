/** What is kept for the workspace beyond the life of the window. The editor's Memento is one. */
export interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
