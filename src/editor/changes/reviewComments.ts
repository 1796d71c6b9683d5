/**
 * Comments beside the lines of what agents have changed, until they are sent.
 */
import {
  type Comment,
  type CommentController,
  CommentMode,
  comments,
  type CommentThread,
  CommentThreadCollapsibleState,
  Disposable,
  Range,
  type StatusBarItem,
  StatusBarAlignment,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import type {
  CommentPlace,
  ReviewComment,
} from '../../state/changes/reviews.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { readChangesUri } from './changesUri.ts';
import { isSameDocument, selectedLines } from './commentLines.ts';
import {
  type CommandId,
  reviewController,
  type WrittenComment,
} from '../manifest.ts';
import { commentsWord } from '../words/conversations/changeWords.ts';
import {
  placeWords,
  sendReviewWords,
} from '../words/conversations/reviewWords.ts';

/** The comment that the editor passes to the commands of its buttons. */
function ownComment({ id, text, outdated }: ReviewComment) {
  const label = outdated ? t('Outdated') : t('Not sent yet');
  return {
    id,
    author: { name: t('You') },
    contextValue: 'own',
    label,
    mode: CommentMode.Preview,
    body: text,
  };
}

interface ShownComment {
  readonly thread: CommentThread;
  comment: ReviewComment;
  own: ReturnType<typeof ownComment>;
}

export class ReviewComments implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #controller: CommentController;
  readonly #status: StatusBarItem;
  /** Keyed by the URI of the document and the id of the comment. */
  readonly #shown = new Map<string, Map<string, ShownComment>>();
  readonly #parts: Disposable;

  constructor(switchboard: Switchboard) {
    this.#switchboard = switchboard;
    this.#controller = comments.createCommentController(
      reviewController,
      t('Comments to Agents'),
    );
    this.#controller.options = {
      prompt: t('Comment to the Agent'),
      placeHolder: t('Say what the agent should do differently'),
    };
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: (document) =>
        readChangesUri(document.uri)
          ? {
              enableFileComments: true,
              ranges: [new Range(0, 0, Math.max(0, document.lineCount - 1), 0)],
            }
          : undefined,
    };
    this.#status = window.createStatusBarItem(
      'switchboard.review',
      StatusBarAlignment.Left,
      -11,
    );
    this.#status.name = t('Review for Agents');
    this.#status.command =
      'switchboard.conversations.sendReview' satisfies CommandId;
    this.#parts = Disposable.from(
      this.#status,
      this.#controller,
      workspace.onDidOpenTextDocument(this.#show),
      workspace.onDidChangeTextDocument(({ document }) => {
        this.#show(document);
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.#forget(uri);
      }),
      switchboard.reviews.onChange(this.#showAll),
    );
    this.#showAll();
  }

  dispose(): void {
    this.#parts.dispose();
  }

  /**
   * Stores a new comment and closes its input box. Undefined for a thread in
   * another document.
   */
  async add({
    text,
    thread,
  }: WrittenComment): Promise<ReviewComment | undefined> {
    const place = placeOf(thread);
    if (!place || text.trim() === '') return undefined;
    const added = await this.#switchboard.reviews.add(place, text.trim());
    thread.dispose();
    return added;
  }

  edit(id: string): void {
    for (const view of this.#all(id)) {
      view.own.mode = CommentMode.Editing;
      draw(view);
    }
  }

  async save(id: string): Promise<void> {
    const all = this.#all(id);
    // The editor has put the new text into the comment.
    const written = all.find(({ own }) => own.mode === CommentMode.Editing)?.own
      .body;
    if (written === undefined) return;
    this.cancel(id);
    if (written.trim() !== '')
      await this.#switchboard.reviews.edit(id, written.trim());
  }

  cancel(id: string): void {
    for (const view of this.#all(id)) {
      view.own = ownComment(view.comment);
      draw(view);
    }
  }

  #all(id: string): readonly ShownComment[] {
    return [...this.#shown.values()].flatMap((here) => here.get(id) ?? []);
  }

  readonly #showAll = (): void => {
    for (const document of workspace.textDocuments) this.#show(document);
    const { length } = this.#switchboard.reviews.all;
    this.#status.text = ['$(comment-discussion)', sendReviewWords(length)].join(
      ' ',
    );
    this.#status.tooltip = t(
      '{0} for agents, not sent yet',
      commentsWord(length),
    );
    this.#status.accessibilityInformation = {
      label: `${sendReviewWords(length)}, ${this.#status.tooltip}`,
    };
    if (length > 0) this.#status.show();
    else this.#status.hide();
  };

  readonly #show = (document: TextDocument): void => {
    const address = document.isClosed
      ? undefined
      : readChangesUri(document.uri);
    if (!address) return;
    const id = document.uri.toString();
    const before = this.#shown.get(id) ?? new Map<string, ShownComment>();
    const here = this.#switchboard.reviews
      .of(address.key)
      .filter((comment) => isSameDocument(comment, address));
    const now = new Map(
      here.map((comment) => {
        const view =
          before.get(comment.id) ?? this.#make(document.uri, comment);
        if (view.comment !== comment) {
          view.comment = comment;
          if (view.own.mode === CommentMode.Preview)
            view.own = ownComment(comment);
          draw(view);
        }
        return [comment.id, view] as const;
      }),
    );
    for (const [gone, { thread }] of before)
      if (!now.has(gone)) thread.dispose();
    this.#shown.set(id, now);
    for (const { id } of here)
      void this.#switchboard.reviews.place(id, document.getText());
  };

  #make(uri: Uri, comment: ReviewComment): ShownComment {
    const own = ownComment(comment);
    const range = rangeOf(comment) ?? new Range(0, 0, 0, 0);
    // The editor does not list a thread that starts without a comment.
    const thread = this.#controller.createCommentThread(uri, range, [own]);
    thread.canReply = false;
    thread.contextValue = 'own';
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    const view = { thread, comment, own };
    draw(view);
    return view;
  }

  #forget(uri: Uri) {
    const id = uri.toString();
    for (const { thread } of this.#shown.get(id)?.values() ?? [])
      thread.dispose();
    this.#shown.delete(id);
  }
}

function draw({ thread, comment, own }: ShownComment) {
  thread.range = rangeOf(comment);
  thread.label = comment.outdated
    ? t('The file has changed since you wrote this')
    : placeWords(comment);
  const quote: Comment = {
    author: { name: t('Original Lines') },
    body: comment.quote,
    mode: CommentMode.Preview,
    contextValue: 'quote',
  };
  thread.comments =
    comment.outdated && comment.quote !== '' ? [own, quote] : [own];
}

function rangeOf({ lines }: ReviewComment): Range | undefined {
  return lines && new Range(lines.first - 1, 0, lines.last - 1, 0);
}

function placeOf({
  uri,
  range,
}: WrittenComment['thread']): CommentPlace | undefined {
  const document = workspace.textDocuments.find(
    (candidate) => candidate.uri.toString() === uri.toString(),
  );
  const address = document && readChangesUri(document.uri);
  if (!address) return undefined;
  const { key, since, side, path } = address;
  return { key, since, side, path, ...quoteAt(document, range) };
}

function quoteAt(
  document: TextDocument,
  range: WrittenComment['thread']['range'],
) {
  if (!range) return { lines: undefined, quote: '' };
  const { first, last } = selectedLines(range);
  const quote = document.getText(
    new Range(first, 0, last, document.lineAt(last).text.length),
  );
  return { lines: { first: first + 1, last: last + 1 }, quote };
}
