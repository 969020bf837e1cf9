import type { Question, SdkAnswer, SdkClient } from './sdkClient.ts';

/** A conversation in the message type of one SDK. */
export abstract class Conversation<Message> implements SdkClient {
  protected readonly messages: Message[] = [];
  protected question: Question = { text: '', stream: false };

  ask(question: Question): Promise<SdkAnswer> {
    this.messages.push(this.questionMessage(question));
    this.question = question;
    return this.send();
  }

  goOn(results: ReadonlyMap<string, string>, image?: string): Promise<SdkAnswer> {
    this.messages.push(...this.resultMessages([...results], image));
    return this.send();
  }

  abstract statusOf(error: unknown): number | undefined;
  protected abstract questionMessage(question: Question): Message;
  /** @param results pairs of a call ID and its result. */
  protected abstract resultMessages(results: readonly (readonly [string, string])[], image?: string): Message[];
  /** Sends the whole conversation with the options of the question, and adds the answer to it. */
  protected abstract send(): Promise<SdkAnswer>;
}
