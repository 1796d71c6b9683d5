/**
 * A handler for each type of message, so that the compiler finds a missing one.
 */
export type Handlers<
  Message extends { readonly type: string },
  Result = void,
> = {
  readonly [Type in Message['type']]: (
    message: Extract<Message, { readonly type: Type }>,
  ) => Result;
};

/** Ignores a message without a handler. */
export function handle<Message extends { readonly type: string }, Result>(
  handlers: Partial<Handlers<Message, Result>>,
  message: Message,
): Result | undefined {
  const handler = handlers[message.type as Message['type']] as
    ((message: Message) => Result) | undefined;
  return handler?.(message);
}
