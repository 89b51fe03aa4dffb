import type { Ending } from '../../../src/domain/collection/attempt.ts';
import type { IntentStatus } from '../../../src/domain/collection/intent.ts';
import { nextStep } from '../../../src/domain/collection/next-step.ts';

/** Answers of the bank when an intent is confirmed. */
export type Bank = 'succeeded' | 'processing' | 'declined' | 'action_required';

type Intent = { reference: string; key: string; status: IntentStatus; amount: string };
type Attempt = {
  id: string;
  reference: string | null;
  ends_as: Ending | null;
  amount: string;
  end: string | null;
};
/** A call of the provider that a process has sent; it does it when it arrives, and once more if it arrives again. */
type Call = () => Intent[];

/**
 * A provider, the rows of one invoice of 100, and processes that collect it as src/collection does: after each change
 * of rows, and before and after each call, a process may stop for ever.
 */
export class Charging {
  intents: Intent[] = [];
  /** Keys that the provider still knows: it drops them after a day. */
  keys = new Map<string, Intent>();
  attempts: Attempt[] = [];
  payments: { reference: string; amount: string }[] = [];
  charges: { reference: string; amount: string }[] = [];
  bank: Bank = 'succeeded';
  credited = 0;
  is_void = false;
  is_paused = false;
  private made = 0;

  get due(): number {
    const paid = this.payments.reduce((sum, { amount }) => sum + Number(amount), 0);
    return Math.max(0, 100 - this.credited - paid);
  }

  private get toCharge(): string | null {
    return this.is_void || this.is_paused || this.due === 0 ? null : `${this.due}`;
  }

  get open(): Attempt | undefined {
    return this.attempts.find(({ end }) => end === null);
  }

  /** A request to charge: refused while an attempt is open, or nothing is due. */
  begin(): void {
    if (this.open !== undefined || this.toCharge === null) return;
    const id = `pat_${(this.made += 1)}`;
    this.attempts.push({ id, reference: null, ends_as: null, amount: this.toCharge, end: null });
  }

  /** Steps of a process: it yields a call before it is sent, or null after a change of rows. */
  *process(): Generator<Call | null, void, Intent[]> {
    let intent: Intent | null = null;
    const first = this.open;
    if (first === undefined) return;
    const { id } = first;
    if (first.reference !== null) [intent = null] = yield this.reading(first.reference);
    for (;;) {
      const attempt = this.open;
      if (attempt?.id !== id) return;
      if (attempt.reference !== (intent?.reference ?? null)) {
        [intent = null] = yield this.reading(attempt.reference!);
        continue;
      }
      const decline = intent?.status === 'declined' ? ({ code: 'no', again: 'by_schedule' } as const) : null;
      const step = nextStep(attempt, intent === null ? null : { ...intent, decline }, this.toCharge);
      switch (step.kind) {
        case 'prepare':
          intent = yield* this.prepare(attempt, step.may_charge);
          if (intent === null) return;
          break;
        case 'set_amount':
          attempt.amount = step.amount;
          yield null;
          [intent = null] = yield () => this.setAmount(intent!.reference, step.amount);
          break;
        case 'confirm':
          yield null;
          [intent = null] = yield () => this.confirm(intent!.reference);
          break;
        case 'cancel':
          attempt.ends_as ??= step.ends_as;
          yield null;
          [intent = null] = yield () => this.cancel(intent!.reference);
          break;
        case 'settle':
          this.payments.push({ reference: intent!.reference, amount: intent!.amount });
          attempt.end = 'succeeded';
          return;
        case 'end':
          attempt.end = step.status;
          return;
        case 'wait':
          return;
      }
    }
  }

  private *prepare(attempt: Attempt, may_charge: boolean): Generator<Call | null, Intent | null, Intent[]> {
    const found: Intent[] = [];
    for (const intent of yield () => this.intents) {
      if (
        intent.status === 'canceled' ||
        this.attempts.some(({ reference }) => reference === intent.reference)
      )
        continue;
      const stays = intent.key === attempt.id || ['succeeded', 'processing'].includes(intent.status);
      found.push(...(stays ? [intent] : yield () => this.cancel(intent.reference)));
    }
    const known =
      found.find(({ status }) => status === 'succeeded') ??
      found.find(({ status }) => status === 'processing') ??
      found.find(({ key, status }) => key === attempt.id && status !== 'canceled');
    const { id, amount } = attempt;
    const [intent = null] =
      known !== undefined ? [known] : may_charge ? yield () => this.create(id, amount) : [];
    if (attempt.end !== null || attempt.reference !== null) return intent;
    if (intent === null) attempt.end = 'canceled';
    else [attempt.reference, attempt.amount] = [intent.reference, intent.amount];
    yield null;
    return intent;
  }

  private reading(reference: string): Call {
    return () => [this.at(reference)];
  }

  private at(reference: string): Intent {
    return { ...this.intents.find((intent) => intent.reference === reference)! };
  }

  private create(key: string, amount: string): Intent[] {
    const known = this.keys.get(key);
    if (known !== undefined) return [this.at(known.reference)];
    const intent: Intent = { reference: `pi_${this.intents.length}`, key, status: 'unconfirmed', amount };
    this.intents.push(intent);
    this.keys.set(key, intent);
    return [{ ...intent }];
  }

  private change(reference: string, from: IntentStatus[], changed: Partial<Intent>): Intent[] {
    const intent = this.intents.find((one) => one.reference === reference)!;
    if (from.includes(intent.status)) Object.assign(intent, changed);
    return [{ ...intent }];
  }

  private setAmount(reference: string, amount: string): Intent[] {
    return this.change(reference, ['unconfirmed'], { amount });
  }

  private confirm(reference: string): Intent[] {
    const { status } = this.at(reference);
    const [intent] = this.change(reference, ['unconfirmed'], { status: this.bank });
    if (status === 'unconfirmed' && this.bank === 'succeeded') this.charge(intent!);
    return [intent!];
  }

  private cancel(reference: string): Intent[] {
    return this.change(reference, ['unconfirmed', 'declined', 'action_required'], { status: 'canceled' });
  }

  private charge({ reference, amount }: Intent): void {
    this.charges.push({ reference, amount });
  }

  /** The bank says how what takes days ends. */
  finish(status: 'succeeded' | 'declined'): void {
    for (const intent of this.intents.filter((one) => one.status === 'processing')) {
      intent.status = status;
      if (status === 'succeeded') this.charge(intent);
    }
  }
}
